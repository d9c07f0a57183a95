import { ServiceError } from 'dragoman/errors'
import type { Json, LogEntry, Run } from 'dragoman/events'
import { cursorSeq } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import { missedCalls } from './missed-calls.ts'
import { errorEvent } from './error-event.ts'
import type { PageToolSockets } from './page-tool-sockets.ts'
import { createKeyedQueue } from './keyed-queue.ts'
import { runNames, type RunNames } from './run-names.ts'
import { asksInText, createFollowedRun, sendRun, type FollowedRun, type SendRunOptions } from './send-run.ts'

/** Runs per socket: each event carries the offset of all of them. */
const MAX_FOLLOWED_RUNS = 100
/** Runs and events that wait for others of their thread. Further events are sent out of order. */
const MAX_WAITING = 2 * MAX_FOLLOWED_RUNS

/** The runs that a socket follows: in order within a thread, in parallel across threads. */
export interface FollowedRuns {
  /** @throws ServiceError `rate-limited` if it follows as many as allowed */
  checkRoom(): void
  /** Follows a run after a cursor. A run that is already followed is not sent twice; it continues after a pause. */
  follow(run: Run, how: { readonly after: string; readonly watches: boolean; readonly as?: RunNames }): void
  /** Whether the socket only watches a followed run, without being asked for page tool results. */
  isWatching(runId: string): boolean | undefined
  /**
   * Lets a watching socket run page tools, including earlier open calls.
   * @throws ServiceError `conflict` while a call is being written
   */
  takeOver(runId: string): Promise<void>
  /** Sends an event of a thread after its pending events. */
  sendEvent(threadId: string | undefined, event: Json, names: Partial<RunNames>): void
  /** The last entry of each run up to which this socket was asked in text. */
  readonly questionSeqs: Map<string, number>
  /** Finds runs by the client's or the server's id; without one, all that the socket does not only watch. */
  find(name?: string): readonly Run[]
}

export type FollowedRunsOptions = SendRunOptions & {
  readonly pageToolSockets: PageToolSockets
  readonly report: (error: unknown, where: string) => void
}

export function createFollowedRuns(connection: Connection, options: FollowedRunsOptions): FollowedRuns {
  const { pageToolSockets, report } = options
  const followed = new Map<string, FollowedRun>()
  // Queued runs are not sent after the socket closes: they would be held forever.
  connection.closed.addEventListener('abort', () => {
    for (const { run } of followed.values()) pageToolSockets.release(run, connection)
  })
  const questionSeqs = new Map<string, number>()
  const queue = createKeyedQueue(connection.closed, (error) => report(error, 'socket.io'))
  const emit = (event: Json, names: Partial<RunNames>): void =>
    connection.emit('event', event, names, formatOffset(followed.values()))

  const send = async (one: FollowedRun): Promise<void> => {
    const { run } = one
    const leave = (): void => {
      if (followed.get(run.id) !== one) return
      followed.delete(run.id)
      pageToolSockets.release(run, connection)
    }
    const tell = (event: Json, isLast: boolean): void => {
      if (asksInText(event)) questionSeqs.set(run.id, cursorSeq(one.cursor))
      if (isLast) leave()
      emit(event, one.names)
    }
    await sendRun(one, connection, tell, options)
      .catch((error: unknown) => tell(errorEvent(error), true))
      .finally(leave)
  }

  return {
    checkRoom() {
      if (followed.size < MAX_FOLLOWED_RUNS) return
      const sentence = `${MAX_FOLLOWED_RUNS} runs are followed by this socket already.`
      throw new ServiceError('rate-limited', sentence, { retryAfter: 5 })
    },
    follow(run, { after, watches, as = runNames(run) }) {
      const existing = followed.get(run.id)
      if (existing) return void Object.assign(existing, { names: as, again: true })
      const one = createFollowedRun(run, { cursor: after, watches, names: as })
      followed.set(run.id, one)
      return queue.add(run.threadId, () => send(one))
    },
    isWatching: (runId) => followed.get(runId)?.watches,
    async takeOver(runId) {
      const one = followed.get(runId)
      if (!one?.watches) return
      for (const event of await readMissedCalls(one, options)) emit(event, one.names)
      one.watches = false
      one.turn.abort()
    },
    sendEvent(threadId, event, names) {
      if (threadId === undefined || queue.size() >= MAX_WAITING) emit(event, names)
      else queue.add(threadId, () => emit(event, names))
    },
    questionSeqs,
    find: (name) => findByName(followed, name),
  }
}

function findByName(followed: ReadonlyMap<string, FollowedRun>, name: string | undefined): readonly Run[] {
  return Array.from(followed.values())
    .filter((one) => (name === undefined ? !one.watches : one.names.runId === name || one.run.id === name))
    .map(({ run }) => run)
}

/** The calls that a socket has missed up to its cursor. */
async function readMissedCalls(one: FollowedRun, options: FollowedRunsOptions): Promise<readonly Json[]> {
  let entries: readonly LogEntry[] = []
  for (let read = ''; read !== one.cursor;) {
    read = one.cursor
    entries = await options.runs.structure(one.run)
  }
  const calls = missedCalls(cursorSeq(one.cursor), { run: one.run, entries })
  if (calls) return calls
  throw new ServiceError('conflict', 'A call is being written just now: ask again in a moment.')
}

/** The offset of a socket in all its runs: a reconnecting client sends it back. */
function formatOffset(followed: Iterable<FollowedRun>): string {
  const places = Array.from(
    followed,
    ({ run, cursor, watches }) => `${run.id}:${cursor}${watches ? ':w' : ''}`,
  )
  return places.join(',')
}
