import type { Json, PatchOperation, Preview } from '../events/index.ts'
import type { ToolModel } from './tool-model.ts'
import type { UserQuestion } from './user-question.ts'

/**
 * The call's context, and what `execute` may use.
 *
 * @example
 * ```ts
 * const book = defineTool({
 *   name: 'book',
 *   description: 'Books a table.',
 *   inputSchema: z.object({ seats: z.int() }),
 *   execute: async ({ seats }, { idempotencyKey, userId, signal, progress }: ToolContext) => {
 *     progress({ delta: 'Calling the restaurant …' })
 *     return await restaurant.book({ seats, userId, idempotencyKey }, signal)
 *   },
 * })
 * ```
 */
export interface ToolContext {
  readonly callId: string
  readonly runId: string
  /** The same for every attempt of this call. Pass it to a service that must not act twice. */
  readonly idempotencyKey: string
  readonly userId: string
  /** `conv_…`. A detached run has a thread that no request can find. */
  readonly threadId: string
  /** What the client reports about its context. */
  readonly context: Json
  /** Aborts when the run is stopped or `timeoutMs` is over. */
  readonly signal: AbortSignal
  /**
   * The `basis` of the preview with which the user approved this input; '' if it failed. If what the tool finds now is
   * not that, the call would do something else than was shown: throw.
   */
  readonly basis?: string
  /** The agent's model, for a judgement that the tool itself cannot make. Its usage counts toward the run. */
  readonly model: ToolModel
  /**
   * The state that agent and client share. `change` applies a patch and returns the new state.
   * @throws ServiceError `invalid-input` if the patch does not fit, or makes the state too large
   */
  readonly state: { current(): Json; change(patch: readonly PatchOperation[]): Json }
  /**
   * Reports progress to readers, at most ten times a second. In between, texts are joined and the newest output
   * counts. Of a long text, the last 1,024 characters are sent. An output over 2 KB is left out. A `preliminary`
   * one has the form of the tool's own output: pages show it as such, up to 32 KB.
   */
  progress(update: { delta?: string; output?: Json; preliminary?: boolean }): void
  /**
   * Writes a data part into the answer, `data-NAME` for `useChat`, which the model does not read. One with an `id`
   * replaces the earlier one of that name and id. A `transient` one is only for those who read now.
   * @throws ToolError if the name has other than 1 to 64 letters, digits, `-` and `_`, or JSON cannot hold the value
   */
  data(name: string, value: unknown, options?: { readonly id?: string; readonly transient?: boolean }): void
  /**
   * Asks the user, in any client, and returns what they fill in. The run is released meanwhile and the tool ends: with
   * the answer it is called again from its start, where each `ask` returns what was answered. So work that has an
   * effect belongs after the last `ask`.
   * @throws ServiceError `denied` if the user declines
   */
  ask<Value = Json>(question: UserQuestion<Value>): Promise<Value>
}

/**
 * The call's context for `needsApproval`.
 *
 * @example
 * const needsApproval = (input: { seats: number }, { userId }: ApprovalContext): boolean =>
 *   input.seats > 12 && userId !== 'owner'
 */
export type ApprovalContext = Pick<ToolContext, 'callId' | 'runId' | 'userId' | 'threadId' | 'context'>

/**
 * What a tool says of a call before a person approves it. `basis` stands for what the tool found, such as the hash of a
 * file: `execute` gets it, clients do not show it.
 */
export type ToolPreview = Preview & { readonly basis?: string }

export type PreviewContext = ApprovalContext & Pick<ToolContext, 'signal'>
