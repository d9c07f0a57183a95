import type { Json, Message, Run } from '../../events/index.ts'
import type { Protocol } from '../../protocols/index.ts'
import type { Cursor } from './cursor.ts'

/** A conversation that no one has read yet. It is complete once the run before has ended. */
export interface RunHistory {
  /** About the bytes that `read` reads. */
  bytes(): Promise<number>
  /** The messages up to the one that the run answers; undefined if they are too large for the protocol. */
  read(): Promise<readonly Message[] | undefined>
}

export type ReaderRequest = {
  readonly run: Run
  readonly protocol: Protocol
  readonly view: Json
  /** The conversation before the run, for a protocol that needs it. It is sent once the run has begun. */
  readonly history?: RunHistory
  readonly numbered: boolean
  /** Everything after this cursor is sent. */
  readonly after?: Cursor
  /** The last entry to send, for a reader of a part. */
  readonly to?: number
}

/** A run for as long as a reader may read it: without the messages of its request, which may have many megabytes. */
export function withoutMessages(run: Run): Run {
  const { history: _, input, ...request } = run.request
  const texts = input.filter(({ type }) => type === 'text')
  return { ...run, request: { ...request, input: texts } }
}
