import { isJsonObject, isLive, type Json, type Run } from 'dragoman/events'
import { useAi, useAiWatching } from 'dragoman/protocols'
import { parseCursor, type FanOut } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import { openQuestions, historyPreamble, requireLog, type Conversations } from 'dragoman/surfaces'
import { socketView, type RunNames } from './run-names.ts'

/**
 * Whether an event is the last of a run. Where a run waits for approvals, its client's run is finished without a
 * reason.
 */
function isLast(event: Json): boolean {
  if (!isJsonObject(event)) return false
  return (
    event['type'] === 'RUN_ERROR' || (event['type'] === 'RUN_FINISHED' && event['metadata'] !== undefined)
  )
}

/** A run that a socket follows, and where it is in it. */
export type FollowedRun = {
  readonly run: Run
  names: RunNames
  cursor: string
  watches: boolean
  /** Ends what is sent now: it goes on anew. */
  turn: AbortController
  /** Whether what comes after a pause is to be sent, too. */
  again: boolean
}

export function createFollowedRun(
  run: Run,
  how: { readonly names: RunNames; readonly cursor: string; readonly watches: boolean },
): FollowedRun {
  return { run, ...how, turn: new AbortController(), again: false }
}

export type SendRunOptions = Pick<Conversations, 'runs' | 'history' | 'projector'> & {
  readonly fanOut: FanOut
}

/**
 * Sends a run to its end, to where it waits for approvals alone, or until its socket has gone. `tell` is given its
 * last word as such.
 */
export async function sendRun(
  followed: FollowedRun,
  connection: Connection,
  tell: (event: Json, isLast: boolean) => void,
  options: SendRunOptions,
): Promise<void> {
  do {
    followed.turn = new AbortController()
    followed.again = false
    const feed = await openFeed(followed, connection.userId, options)
    if (!feed) return
    await connection.send(
      feed,
      ({ cursor, data }) => {
        followed.cursor = cursor
        tell(data, isLast(data))
      },
      followed.turn.signal,
    )
  } while ((followed.turn.signal.aborted || followed.again) && !connection.closed.aborted)
}

/** What is left of it. */
async function openFeed(
  { run: { id }, cursor, watches }: FollowedRun,
  userId: string,
  options: SendRunOptions,
) {
  const { runs, fanOut } = options
  const run = await runs.get(userId, id)
  requireLog(run)
  const after = parseCursor(cursor)
  if (after?.seq === run.lastSeq && (!isLive(run) || (!watches && (await isPaused(run, runs)))))
    return undefined
  const protocol = watches ? useAiWatching : useAi
  const preamble = historyPreamble(run, { protocol, after }, options)
  const request = { run, protocol, view: socketView(run, watches), numbered: true, ...preamble }
  return fanOut.open({ ...request, ...(after && { after }) })
}

/** Whether a run waits for approvals alone, for which its client has been asked. */
async function isPaused(run: Run, runs: SendRunOptions['runs']): Promise<boolean> {
  if (run.status !== 'waiting') return false
  return Array.from(openQuestions(await runs.structure(run)).values()).every(
    ({ kind }) => kind === 'approval',
  )
}
