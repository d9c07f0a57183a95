import type { Json } from './json.ts'
import type { CustomEvent, FileEvent, SourceEvent } from './provider-event.ts'
import type { Answer, Question } from './question.ts'
import type { Failure, FinishReason, Usage } from './run-event.ts'
import type { UserPart } from './user-part.ts'

/**
 * `id` is the server's (`msg_…`); `clientId` is the client's.
 *
 * @example
 * const message: UserMessage = { role: 'user', id: 'msg_1', parts: [{ type: 'text', text: 'Roll a die.' }] }
 */
export type UserMessage = {
  readonly role: 'user'
  readonly id: string
  readonly clientId?: string
  /** By its client's clock, ISO 8601. */
  readonly sentAt?: string
  readonly parts: readonly UserPart[]
}

/**
 * The output of one run: the fold of its log. A `step` part marks the start of a model call.
 *
 * @example
 * const isOver = (message: AssistantMessage): boolean => message.status !== 'streaming'
 */
export type AssistantMessage = {
  readonly role: 'assistant'
  readonly id: string
  readonly status: 'streaming' | 'waiting' | 'finished' | 'failed' | 'cancelled'
  readonly parts: readonly AssistantPart[]
  readonly finishReason?: FinishReason
  readonly failure?: Failure
  readonly usage?: Usage
  /** What its user thinks of it. */
  readonly feedback?: 'up' | 'down'
  /** For messages that a client reports: the time by its clock, ISO 8601. */
  readonly sentAt?: string
}

/**
 * A message of a thread: the user’s, or an agent’s.
 *
 * @example
 * const message: Message = { role: 'user', id: 'msg_1', parts: [{ type: 'text', text: 'Roll a die.' }] }
 */
export type Message = UserMessage | AssistantMessage

/**
 * A part of an agent’s message: a step, text, reasoning, a tool call, what the model's provider adds, a card, or a user
 * message in between.
 *
 * @example
 * const textIn = (part: AssistantPart): string => (part.type === 'text' ? part.text : '')
 */
export type AssistantPart =
  | { readonly type: 'step'; readonly model: string }
  | TextPart
  | ToolPart
  | SourceEvent
  | FileEvent
  | CustomEvent
  | { readonly type: 'data'; readonly name: string; readonly id?: string; readonly value: Json }
  | {
      readonly type: 'user'
      readonly messageId: string
      readonly clientId?: string
      readonly input: readonly UserPart[]
    }

export type TextPart = {
  readonly type: 'text' | 'reasoning'
  readonly partId: string
  readonly text: string
  readonly open: boolean
  readonly provider?: Json
}

/** One tool call. `input` is there once the call is complete; until then `inputText` grows. */
export type ToolPart = {
  readonly type: 'tool'
  readonly callId: string
  readonly tool: string
  readonly state: 'input' | 'called' | 'asked' | 'answered' | 'executing' | 'returned' | 'failed'
  readonly inputText: string
  readonly input?: Json
  /** What the model wrote, if its user let the call run with another input. */
  readonly modelInput?: Json
  /** What the call last reported: its newest output, or the end of its texts. */
  readonly progress?: Json
  readonly question?: Question
  readonly answer?: Answer
  readonly output?: Json
  readonly text?: string
  readonly failure?: Failure
  readonly provider?: Json
  /** The model's provider runs the call, and not the server. */
  readonly by?: 'provider'
}

/** A turn that a client reports. `id` is the client's id; `sentAt` is the time by its clock, ISO 8601. */
export type ClientTurn = {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly id?: string
  readonly sentAt?: string
}

/** The text of a message. Blank lines separate its text parts. */
export function textOf(message: Message): string {
  return joinTexts(message, 'text')
}

/** The reasoning of a message, in the same form. */
export function reasoningOf(message: AssistantMessage): string {
  return joinTexts(message, 'reasoning')
}

function joinTexts({ parts }: Message, type: 'text' | 'reasoning'): string {
  const texts: string[] = []
  for (const part of parts)
    if (part.type === type && 'text' in part && part.text !== '') texts.push(part.text)
  return texts.join('\n\n')
}
