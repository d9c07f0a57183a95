import type { AssistantMessage, RunEvent } from '../events/index.ts'

/** What a run's log says to whoever goes on with it. */
export type Past = {
  readonly events: readonly RunEvent[]
  /** The last entry's number. */
  readonly last: number
  readonly message: AssistantMessage
  /** How long the run has worked. */
  readonly workedMs: number
}
