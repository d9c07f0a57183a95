import type { EngineJob, ToolOutcome } from '../../agents/index.ts'
import type { AssistantMessage, ClientTool, Json, Message } from '../../events/index.ts'

/**
 * A part of an answer. Consecutive texts are one text.
 *
 * @example
 * const part: CustomPart = { type: 'reasoning', text: 'Two dice, so at most twelve.' }
 */
export type CustomPart =
  | string
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  /** A card, or the progress of the run. A later part with the same `id` replaces it. */
  | {
      readonly type: 'data'
      readonly name: string
      readonly value: Json
      readonly id?: string
      /** Shown to live readers, not stored in the message. */
      readonly transient?: boolean
    }
  /** Tokens that were used since the last part of this type. Without it, they are estimated. */
  | { readonly type: 'usage'; readonly inputTokens: number; readonly outputTokens: number }

/**
 * A message as text, the form that most agent libraries take.
 *
 * @example
 * const message: CustomMessage = { role: 'user', content: 'Roll two dice.' }
 */
export type CustomMessage =
  | { readonly role: 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string }

/**
 * One run, as a custom engine gets it.
 *
 * @example
 * const echo = customEngine(async function* ({ messages }: CustomJob) {
 *   yield `You said: ${messages.at(-1)?.content}`
 * })
 */
export type CustomJob = {
  readonly instructions: string
  /**
   * The conversation as text, the user's message last. After a crash or an answer, the run's text so far follows, and
   * a message that asks to continue from there.
   */
  readonly messages: readonly CustomMessage[]
  /** The conversation with all parts of its messages. */
  readonly history: readonly Message[]
  /** The answer and the calls so far, if the run continues after a crash or an answer. */
  readonly partialAnswer: AssistantMessage | undefined
  readonly tools: readonly ClientTool[]
  /** The context that the client reports. */
  readonly context: EngineJob['context']
  readonly userId: string
  /** Aborts when the run is stopped, or waits for an answer. */
  readonly signal: AbortSignal
  /**
   * The content of a file in `history`, by its `url`: one of its user's, or of the web.
   * @throws ServiceError `not-found`, `too-large` above 32 MB, or why it cannot be fetched
   */
  readFile(url: string): Promise<Uint8Array>
  /**
   * Runs a tool of the agent: validated, recorded, with its approval and its time limit. If the run continues after a
   * crash or an answer, a call with the same name and input returns the recorded outcome, and nothing runs again.
   *
   * @throws the signal's reason if the run is stopped or waits: let it pass
   * @throws ServiceError `invalid-request` for a tool that the run does not have
   */
  callTool(name: string, input: Json): Promise<ToolOutcome>
}
