import type { Conversations } from '../surface-services.ts'

export type V1Options = Conversations & {
  /** Agent ids. The first is the default. */
  readonly agents: readonly string[]
  /** Counts a new thread. @throws ServiceError `rate-limited` */
  readonly checkThreadRate: (userId: string) => Promise<void>
}
