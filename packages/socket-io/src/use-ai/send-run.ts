import { isForPerson, isJsonObject, isLive, type Json, type Run } from 'dragoman/events'
import { useAi, useAiWatching } from '@dragoman/ag-ui/protocol'
import { withoutMessages, type FanOut, type Feed } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import type { NumberedFrame } from '../transport/parse-frames.ts'
import { openQuestions } from '@dragoman/ag-ui/routes'
import { historyPreamble, requireLog, type Conversations } from 'dragoman/surfaces'
import { socketView, type RunNames } from './run-names.ts'

/** Whether an event is the last of a run. */
function isLast(event: Json): boolean {
  return isJsonObject(event) && (event['type'] === 'RUN_ERROR' || isFinish(event)) && !asksInText(event)
}

/** Whether the run waits for approvals, which were asked in text: its RUN_FINISHED has no metadata. */
export function asksInText(event: Json): boolean {
  return isJsonObject(event) && isFinish(event) && event['metadata'] === undefined
}

function isFinish(event: { readonly [field: string]: Json }): boolean {
  return event['type'] === 'RUN_FINISHED'
}

/** A run that a socket follows, and its position in it. */
export type FollowedRun = {
  readonly run: Run
  names: RunNames
  cursor: string
  watches: boolean
  /** Aborts the current sending, which then restarts. */
  turn: AbortController
  /** Whether to continue after a pause. */
  again: boolean
}

export function createFollowedRun(
  run: Run,
  how: { readonly names: RunNames; readonly cursor: string; readonly watches: boolean },
): FollowedRun {
  return { run: withoutMessages(run), ...how, turn: new AbortController(), again: false }
}

export type SendRunOptions = Pick<Conversations, 'runs' | 'messagePages' | 'projector'> & {
  readonly fanOut: FanOut
}

/**
 * Sends a run to its end, to a wait for approvals only, or until the socket closes. `tell` learns which event is the
 * last.
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
    const feed = await openFeed(followed, connection, options)
    if (!feed) return
    const pass = ({ cursor, data }: NumberedFrame): void => {
      followed.cursor = cursor
      tell(data, isLast(data))
    }
    await connection.send(feed, pass, followed.turn.signal)
  } while ((followed.turn.signal.aborted || followed.again) && !connection.closed.aborted)
}

/** Opens a feed for the rest of the run. Undefined if nothing is left. */
async function openFeed(
  { run: { id }, cursor, watches }: FollowedRun,
  connection: Connection,
  options: SendRunOptions,
): Promise<Feed | undefined> {
  const { runs, fanOut } = options
  const run = await runs.get(connection.userId, id)
  requireLog(run)
  const after = await fanOut.locate(run, cursor)
  if (after.seq === run.lastSeq && (!isLive(run) || (!watches && (await isPaused(run, runs)))))
    return undefined
  const protocol = watches ? useAiWatching : useAi
  const preamble = historyPreamble(run, { protocol, after }, options)
  const request = { run, protocol, view: socketView(run, watches), numbered: true, ...preamble }
  return fanOut.open({ ...request, after }, connection.createPageReader())
}

/** Whether a run waits only for its user, and the client has received the questions. */
async function isPaused(run: Run, runs: SendRunOptions['runs']): Promise<boolean> {
  if (run.status !== 'waiting') return false
  return Array.from(openQuestions(await runs.structure(run)).values()).every(isForPerson)
}
