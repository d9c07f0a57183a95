import type { Json, Message, Run } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { Cursor } from './cursor.ts'

export type ReaderRequest = {
  readonly run: Run
  readonly protocol: Protocol
  readonly view: Json
  /**
   * Loads the conversation before the run, for a protocol that needs it. Called once the run has started and the run
   * before it has ended.
   */
  readonly loadHistory?: () => Promise<readonly Message[]>
  readonly numbered: boolean
  /** Everything after this cursor is sent. */
  readonly after?: Cursor
  /** The last entry to send, for a reader of a part. */
  readonly to?: number
}
