import type { Json, Message, Run } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { Cursor } from './cursor.ts'

export type ReadRequest = {
  readonly run: Run
  readonly protocol: Protocol
  readonly view: Json
  /** The conversation before it, for a protocol that needs it: asked for once the run has begun, and the one before it has ended. */
  readonly loadHistory?: () => Promise<readonly Message[]>
  /** Whether each event carries its cursor. */
  readonly numbered: boolean
  /** Everything after this place is sent. */
  readonly after?: Cursor
  /** Up to this entry, where it has been written: of one who is told a part of what is known. */
  readonly to?: number
}
