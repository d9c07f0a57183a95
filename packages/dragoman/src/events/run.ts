import type { Json } from './json.ts'
import type { Message } from './message.ts'
import type { UserPart } from './user-part.ts'

/** A tool that the client runs: data, no code. */
export type ClientTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: Json
  /** Whether a person must approve the call before the client runs it. */
  readonly confirm?: true
}

/** Everything that a process needs to start or continue a run. It never contains a key. */
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
  /** The caller's protocol and its view options. */
  readonly reply: { readonly protocol: string; readonly view: Json }
  readonly onCrash: 'continue' | 'fail'
}

export type RunInput = {
  /** The server's id of the user's message: `msg_…`. `clientId` is the client's id. */
  readonly messageId: string
  readonly clientId?: string
  /** By the client's clock, ISO 8601. */
  readonly sentAt?: string
  readonly input: readonly UserPart[]
  /**
   * Turns that the client reported and the server did not know. They come between `parentId` and the user's
   * message. In a detached run: the whole history.
   */
  readonly history?: readonly Message[]
  /** The context that the client reported, as the agent resolved it. */
  readonly context: Json
  /** Identifies the context as the client reported it, if the agent resolved it to another one. */
  readonly saidContext?: string
  readonly tools: readonly ClientTool[]
  /** The shared state, as the client has it at the time of the request. */
  readonly state?: Json
  /** The maximum number of model calls, if the caller may have fewer than the agent allows. */
  readonly maxSteps?: number
  /** The server's own answer, in place of a model's: an input guardrail returned it. */
  readonly answer?: string
  /** The caller's own key pays for the model: the run does not count against the server's quota of tokens. */
  readonly ownKey?: true
  /** In a detached run: its calls may ask their user, who answers while the run goes on. */
  readonly mayAsk?: true
  /** The run needs files of one machine: only nodes with this place may drive it. */
  readonly place?: string
  /** The context as the client reported it: the node of that place resolves it. */
  readonly isUnresolved?: true
  /** Which model is to answer, in place of its agent's first choice: a short name or `provider:model`. */
  readonly model?: string
}

export type RunStatus = 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'

/**
 * A run, as the store returns it. `epoch` grows with each claim. `crashes` counts the processes in a row that drove the
 * run and ended without bringing its log further. `isHandedOver`: the process that drove it has given it
 * up in order, and none has claimed it since. `createdAt` is in ms since 1970. A `pruned` run has no log any more.
 *
 * @example
 * const isLive = ({ status }: Run): boolean => status === 'running' || status === 'waiting'
 */
export type Run = NewRun & {
  readonly status: RunStatus
  readonly epoch: number
  readonly crashes: number
  readonly lastSeq: number
  readonly createdAt: number
  readonly pruned: boolean
  readonly isHandedOver?: true
}

/**
 * A run without what was asked, which may be large.
 *
 * @example
 * const isEnded = ({ status }: RunSummary): boolean => status === 'finished' || status === 'failed'
 */
export type RunSummary = Omit<Run, 'request' | 'reply' | 'parentId' | 'key' | 'aliases' | 'onCrash'>

/** The prefix of the thread ids of runs without a conversation. */
export const DETACHED_PREFIX = 'once_'

/** Whether a run has no conversation: it is listed nowhere, is never suspended, and is deleted soon after its end. */
export function isDetached({ threadId }: Pick<NewRun, 'threadId'>): boolean {
  return threadId.startsWith(DETACHED_PREFIX)
}

/** Whether a run has yet to write its terminal entry. */
export function isLive(run: { readonly status: RunStatus }): boolean {
  return run.status === 'queued' || run.status === 'running' || run.status === 'waiting'
}
