import type { Run, NewRun, ChatRequest, Json } from '../events/index.ts'

/** What a caller wants said, whose it is, and how they read the answer. */
export type StartRequest = ChatRequest & {
  readonly userId: string
  readonly agent: string
  readonly metadata?: { readonly [key: string]: Json }
  /** `<kind>:<scope>:<name>`: the same key gives the same run. `message:<agent>/$thread:<name>`, or `run:…`, is one of the thread's own. */
  readonly key?: string
  /** Likewise, by another name. */
  readonly alias?: string
  readonly reply: NewRun['reply']
  /** Where a new message is to end an answer that nobody reads, whatever its policy. */
  readonly isUnread?: IsUnread
  /** Calls of the model, at most, where that is fewer than the agent's. */
  readonly maxSteps?: number
  /** For the run's tools alone, and written nowhere: see `AgentModule.toolsFor`. */
  readonly secrets?: Json
}

/** Waits until it is clear whether anybody reads a run. */
export type IsUnread = (run: Run) => Promise<boolean>
