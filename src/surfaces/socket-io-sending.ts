import { isJsonObject, isLive, type Json, type Run } from '../events/index.ts'
import { useAi } from '../protocols/index.ts'
import { readCursor, type Connection, type FanOut } from '../transports/index.ts'
import { toldBefore } from './before.ts'
import type { Conversations } from './conversations.ts'
import { mustBeKept } from './replies.ts'
import { namesOf, viewOf, type RunNames } from './socket-io-names.ts'

const ENDS = new Set<Json | undefined>(['RUN_FINISHED', 'RUN_ERROR'])

/** A run that a socket follows, and where it is in it. */
export type Followed = {
  readonly run: Run
  readonly names: RunNames
  cursor: string
  watches: boolean
  /** Ends what is sent now: it goes on anew. */
  turn: AbortController
}

export function newlyFollowed(run: Run, cursor: string, watches: boolean): Followed {
  return { run, names: namesOf(run), cursor, watches, turn: new AbortController() }
}

export type SendingOptions = Pick<Conversations, 'runs' | 'history' | 'projector'> & {
  readonly readers: FanOut
}

/** Sends a run to its end, or until its socket has gone. `tell` is given its last word as such. */
export async function sendRun(
  one: Followed,
  connection: Connection,
  tell: (event: Json, isLast: boolean) => void,
  options: SendingOptions,
): Promise<void> {
  do {
    one.turn = new AbortController()
    const feed = await feedOf(one, connection.userId, options)
    if (!feed) return
    await connection.send(
      feed,
      ({ cursor, said }) => {
        one.cursor = cursor
        tell(said, isJsonObject(said) && ENDS.has(said['type']))
      },
      one.turn.signal,
    )
  } while (one.turn.signal.aborted && !connection.gone.aborted)
}

/** What is left of it. */
async function feedOf({ run: { id }, cursor, watches }: Followed, userId: string, options: SendingOptions) {
  const { runs, readers } = options
  const run = await runs.get(userId, id)
  mustBeKept(run)
  const after = readCursor(cursor)
  if (!isLive(run) && after?.seq === run.lastSeq) return undefined
  const before = toldBefore(run, { protocol: useAi, after }, options)
  const reading = { run, protocol: useAi, view: viewOf(run, watches), numbered: true, ...before }
  return readers.open({ ...reading, ...(after && { after }) })
}
