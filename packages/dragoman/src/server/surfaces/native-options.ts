import type { Conversations } from './conversations.ts'

export type NativeOptions = Conversations & {
  /** Ids of the agents; the first is meant where none is named. */
  readonly agents: readonly string[]
  /** Counts a thread that is to be opened. @throws ServiceError `rate-limited` */
  readonly mayOpen: (userId: string) => Promise<void>
}
