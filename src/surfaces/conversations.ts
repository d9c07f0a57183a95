import type { Runs } from '../runs/index.ts'
import type { History, Projector, Threads } from '../threads/index.ts'
import type { Dialects } from './dialect.ts'
import type { Replies } from './replies.ts'

/** What every surface that holds conversations stands on. */
export type Conversations = {
  readonly dialects: Dialects
  readonly runs: Runs
  readonly threads: Threads
  readonly history: History
  readonly projector: Projector
  readonly replies: Replies
}
