import type { Conversations } from '../surface-services.ts'

export type V1Options = Conversations & {
  /** The ids of the agents that a user may talk to. The first is the default. */
  readonly agentsFor: (userId: string) => readonly string[]
}
