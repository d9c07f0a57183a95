import type { Run, NewRun, ChatRequest, Json } from '../events/index.ts'
import type { History, Projector, Threads } from '../threads/index.ts'
import type { RunnerPorts, Staff } from './claimed.ts'

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
  /**
   * In no conversation, and driven here by these alone: their model may hold a key of the caller's, which is written nowhere. Such a run
   * never waits, for its turn or for an answer, and where this process ends it fails.
   */
  readonly alone?: Staff
  /** Where a new message is to end an answer that nobody reads, whatever its policy. */
  readonly isUnread?: IsUnread
  /** Calls of the model, at most, where that is fewer than the agent's. */
  readonly maxSteps?: number
  /** For the run's tools alone, and written nowhere: see `AgentModule.toolsFor`. */
  readonly secrets?: Json
  /** What the server answers itself: see `guarded`. */
  readonly answer?: string
  /** A trace of the context as the client said it, where settling it has made another of it. */
  readonly saidContext?: string
}

export type RunsOptions = RunnerPorts & {
  readonly threads: Threads
  readonly history: History
  readonly projector: Projector
  /** By agent id. */
  readonly staff: ReadonlyMap<string, Staff>
  /** Asked before anything of a new run is written. Rejects where the user may not start one now. */
  readonly mayStart?: (starting: Starting) => Promise<void>
  /** Told of a run that was let start, and of which nothing came: its request was refused after all, or was known, or joined another. */
  readonly notStarted?: (runId: string) => Promise<void>
}

/** A run that is about to be, and whose. `isAnswered`: the server answers it itself. `ownKey`: its caller's own key pays for it. */
export type Starting = Pick<NewRun, 'userId' | 'agent'> & {
  readonly runId: string
  readonly isAnswered?: boolean
  readonly ownKey?: boolean
}

/** Waits until it is clear whether anybody reads a run. */
export type IsUnread = (run: Run) => Promise<boolean>
