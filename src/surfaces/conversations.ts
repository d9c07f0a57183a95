import type { Runs } from '../runs/index.ts'
import type { Talk } from '../threads/index.ts'
import type { Dialects } from './dialect.ts'
import type { Replies } from './replies.ts'

/** What every surface that holds conversations stands on. */
export type Conversations = Talk & {
  readonly dialects: Dialects
  readonly runs: Runs
  readonly replies: Replies
}
