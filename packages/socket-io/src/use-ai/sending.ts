import { isJsonObject, isLive, type Json, type Run } from 'dragoman/events'
import { useAi, useAiWatching } from 'dragoman/protocols'
import { parseCursor, type FanOut } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import { openQuestions, historyPreamble, requireLog, type Conversations } from 'dragoman/surfaces'
import { viewOf, type RunNames } from './names.ts'

/**
 * Whether an event is the last of a run. Where a run waits for approvals, its client's run is finished without a
 * reason.
 */
function isLast(said: Json): boolean {
  if (!isJsonObject(said)) return false
  return said['type'] === 'RUN_ERROR' || (said['type'] === 'RUN_FINISHED' && said['metadata'] !== undefined)
}

/** A run that a socket follows, and where it is in it. */
export type Followed = {
  readonly run: Run
  names: RunNames
  cursor: string
  watches: boolean
  /** Ends what is sent now: it goes on anew. */
  turn: AbortController
  /** Whether what comes after a pause is to be sent, too. */
  again: boolean
}

export function newlyFollowed(
  run: Run,
  how: { readonly names: RunNames; readonly cursor: string; readonly watches: boolean },
): Followed {
  return { run, ...how, turn: new AbortController(), again: false }
}

export type SendingOptions = Pick<Conversations, 'runs' | 'history' | 'projector'> & {
  readonly fanOut: FanOut
}

/**
 * Sends a run to its end, to where it waits for approvals alone, or until its socket has gone. `tell` is given its
 * last word as such.
 */
export async function sendRun(
  one: Followed,
  connection: Connection,
  tell: (event: Json, isLast: boolean) => void,
  options: SendingOptions,
): Promise<void> {
  do {
    one.turn = new AbortController()
    one.again = false
    const feed = await feedOf(one, connection.userId, options)
    if (!feed) return
    await connection.send(
      feed,
      ({ cursor, said }) => {
        one.cursor = cursor
        tell(said, isLast(said))
      },
      one.turn.signal,
    )
  } while ((one.turn.signal.aborted || one.again) && !connection.gone.aborted)
}

/** What is left of it. */
async function feedOf({ run: { id }, cursor, watches }: Followed, userId: string, options: SendingOptions) {
  const { runs, fanOut } = options
  const run = await runs.get(userId, id)
  requireLog(run)
  const after = parseCursor(cursor)
  if (after?.seq === run.lastSeq && (!isLive(run) || (!watches && (await isPaused(run, runs)))))
    return undefined
  const protocol = watches ? useAiWatching : useAi
  const before = historyPreamble(run, { protocol, after }, options)
  const reading = { run, protocol, view: viewOf(run, watches), numbered: true, ...before }
  return fanOut.open({ ...reading, ...(after && { after }) })
}

/** Whether a run waits for approvals alone, for which its client has been asked. */
async function isPaused(run: Run, runs: SendingOptions['runs']): Promise<boolean> {
  if (run.status !== 'waiting') return false
  return Array.from(openQuestions(await runs.structure(run)).values()).every(
    ({ kind }) => kind === 'approval',
  )
}
