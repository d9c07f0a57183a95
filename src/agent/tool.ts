import type { z } from 'zod'

import type { Json, PatchOperation } from '../events/index.ts'
import type { ToolModel } from './model.ts'

/** `output` is for cards and programs; `text` is what the model and the string-only dialects read. */
export type ToolResult = { readonly output: Json; readonly text: string }

/** One use of a tool, as its `execute` sees it. */
export interface ToolCall {
  readonly callId: string
  readonly runId: string
  /** The same for each try of this call: give it to whoever must not act twice. */
  readonly key: string
  readonly userId: string
  /** Our id of the one in which it is called: `conv_…`. A run that stands alone has one that nobody finds again. */
  readonly conversation: string
  /** What the client said of its surroundings. */
  readonly context: Json
  /** Aborts when the run is stopped or the tool's time is over. */
  readonly signal: AbortSignal
  /** The agent's model, for a judgement that the tool itself cannot make. What it uses counts to the run. */
  readonly model: ToolModel
  /** What agent and client share. `change` gives what it makes of it. @throws ServiceError `invalid-input` where the patch does not fit, or makes it too large */
  readonly state: { current(): Json; change(patch: readonly PatchOperation[]): Json }
  /** Tells readers how it goes. What comes faster than ten a second is joined: texts are strung together, of outputs the newest stays. Of a long text the last 1,024 characters are kept; an output over 2 KB is left out. */
  progress(news: { delta?: string; output?: Json }): void
}

/** Something an agent may do here. */
export interface ServerTool {
  readonly name: string
  /** Written for the model. */
  readonly description: string
  readonly input: z.ZodType
  /** Whether a person must say yes before it runs with this input. */
  readonly needsApproval: (input: unknown) => boolean
  /** A question that nobody has answered after so long fails its call as `expired`, in ms; without it, after what the server is set to. */
  readonly answerWithinMs?: number
  /** Running it twice does no more than running it once, as when it only reads. One that is not, and does not stop in time, has an unknown outcome. */
  readonly idempotent: boolean
  readonly timeoutMs: number
  execute(input: unknown, call: ToolCall): Promise<ToolResult>
}

/** Timers count no further, in ms. */
const LONGEST_MS = 2 ** 31 - 1

/** Describes a tool. `execute` throws to fail; the model reads why; the run goes on. @throws RangeError for a `timeoutMs` that no timer can keep */
export function defineTool<S extends z.ZodType>(tool: {
  name: string
  description: string
  input: S
  idempotent?: boolean
  approval?: 'never' | 'always' | ((input: z.infer<S>) => boolean)
  answerWithinMs?: number
  timeoutMs?: number
  execute(input: z.infer<S>, call: ToolCall): Promise<ToolResult>
}): ServerTool {
  const { timeoutMs = 60_000, approval = 'never', answerWithinMs } = tool
  if (!Number.isInteger(timeoutMs) || timeoutMs < 1 || timeoutMs > LONGEST_MS) {
    throw new RangeError(`timeoutMs of ${tool.name} must be a whole number from 1 to ${LONGEST_MS}.`)
  }
  return {
    name: tool.name,
    description: tool.description,
    input: tool.input,
    idempotent: tool.idempotent ?? false,
    needsApproval: (input) =>
      typeof approval === 'function' ? approval(input as z.infer<S>) : approval === 'always',
    ...(answerWithinMs !== undefined && { answerWithinMs }),
    timeoutMs,
    execute: (input, call) => tool.execute(input as z.infer<S>, call),
  }
}
