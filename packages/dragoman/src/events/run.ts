import type { Json } from './json.ts'
import type { Message } from './message.ts'
import type { UserPart } from './user-part.ts'

/** A tool that the client runs: data, no code. */
export type ClientTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: Json
  /** Whether a person must say yes before the client is told to run it. */
  readonly confirm?: true
}

/** All that is needed to start a run, or go on with it, on any process. Never a key. */
export type NewRun = {
  /** `run_…` */
  readonly id: string
  readonly threadId: string
  readonly userId: string
  readonly agent: string
  /** The assistant message that this run writes: `msg_…`. */
  readonly messageId: string
  /** The message before the user's: branches are siblings. Absent at the root. */
  readonly parentId?: string
  /** `<kind>:<scope>:<name>`, the name a client gave the run. Unique per user. */
  readonly key?: string
  /** Further names by which it is found. */
  readonly aliases?: readonly string[]
  readonly request: RunInput
  /** How the caller reads it: the protocol, and what it wants of it. */
  readonly reply: { readonly protocol: string; readonly view: Json }
  readonly onCrash: 'continue' | 'fail'
}

export type RunInput = {
  /** The user's message, ours: `msg_…`. `clientId` is the name that the client gave it. */
  readonly messageId: string
  readonly clientId?: string
  /** By the client's clock, ISO 8601. */
  readonly sentAt?: string
  readonly input: readonly UserPart[]
  /** Turns that the client told of and we did not know: they stand between `parentId` and the user's message. Of a run that stands alone: all that was said before. */
  readonly history?: readonly Message[]
  /** What the client said of its surroundings, as the agent has settled it. */
  readonly context: Json
  /** By which the client's own words of them are known again, where other ones have come of them. */
  readonly saidContext?: string
  readonly tools: readonly ClientTool[]
  /** What agent and client share, as the client has it when it asks. */
  readonly state?: Json
  /** Calls of the model, at most, where its caller may have fewer than the agent's. */
  readonly maxSteps?: number
  /** What the server answers itself, in place of a model: an input guardrail has found it necessary. */
  readonly answer?: string
  /** The caller's own key pays for the model: the run does not count against the server's quota of tokens. */
  readonly ownKey?: true
  /** Which model is to answer, in place of its agent's first choice: a short name or `provider:model`. */
  readonly model?: string
}

export type RunStatus = 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'

/**
 * A run, as the store has it. `epoch` grows with each claim. `createdAt` is in ms since 1970. The log of a `pruned` run is gone.
 *
 * @example
 * const isLive = ({ status }: Run): boolean => status === 'running' || status === 'waiting'
 */
export type Run = NewRun & {
  readonly status: RunStatus
  readonly epoch: number
  readonly lastSeq: number
  readonly createdAt: number
  readonly pruned: boolean
}

/** With what the thread of a run is named that stands in no conversation. */
export const DETACHED_PREFIX = 'once_'

/** Whether a run stands in no conversation: it is listed nowhere, never waits, and is removed soon after its end. */
export function isDetached({ threadId }: Pick<NewRun, 'threadId'>): boolean {
  return threadId.startsWith(DETACHED_PREFIX)
}

/** Whether a run has yet to write its terminal entry. */
export function isLive(run: { readonly status: RunStatus }): boolean {
  return run.status === 'queued' || run.status === 'running' || run.status === 'waiting'
}
