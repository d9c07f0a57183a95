import type { Conversations } from '../surface-services.ts'

export type V1Options = Conversations & {
  /** Ids of the agents; the first is meant where none is named. */
  readonly agents: readonly string[]
  /** Counts a thread that is to be opened. @throws ServiceError `rate-limited` */
  readonly checkThreadRate: (userId: string) => Promise<void>
}
