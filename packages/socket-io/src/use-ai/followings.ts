import { ServiceError } from 'dragoman/errors'
import type { Json, LogEntry, Run } from 'dragoman/events'
import { parseCursor } from 'dragoman/fan-out'
import type { Connection } from '../transport/connection.ts'
import { askedUpTo } from './asked.ts'
import { errorEvent } from './error.ts'
import type { Holders } from './holders.ts'
import { lanes } from './lanes.ts'
import { namesOf, type RunNames } from './names.ts'
import { newlyFollowed, sendRun, type Followed, type SendingOptions } from './sending.ts'

/** Runs that one socket follows at once, at most: each event tells where it is in all of them. */
const MOST = 100

/** The runs that one socket follows: those of a conversation one after the other, those of different ones side by side. */
export interface Followings {
  /** @throws ServiceError `rate-limited` where it follows as many as it may */
  check(): void
  /**
   * Follows a run after a cursor. Of one that it follows already nothing is sent twice; it goes on where that has come
   * to a pause.
   */
  follow(run: Run, how: { readonly after: string; readonly watches: boolean; readonly as?: RunNames }): void
  /** Whether it is not asked for the results of page tools, of a run that it follows. */
  isWatching(runId: string): boolean | undefined
  /** Lets a socket that watches be asked, also what was asked before. @throws ServiceError `conflict` while a call is being written */
  takeOver(runId: string): Promise<void>
  /** Says something of a conversation, once nothing else is being said of it. */
  say(threadId: string | undefined, event: Json, names: Partial<RunNames>): void
  /** By the client's name or ours; without one all that it does not only watch. */
  named(name?: string): readonly Run[]
}

export type FollowingsOptions = SendingOptions & {
  readonly holders: Holders
  readonly report: (error: unknown, where: string) => void
}

export function followings(connection: Connection, options: FollowingsOptions): Followings {
  const { holders, report } = options
  const followed = new Map<string, Followed>()
  // What still waits for its turn then is never sent: it would be held for ever.
  connection.gone.addEventListener('abort', () => {
    for (const { run } of followed.values()) holders.leave(run, connection)
  })
  const ordered = lanes(connection.gone, (error) => report(error, 'socket.io'))
  const emit = (event: Json, names: Partial<RunNames>): void =>
    connection.emit('event', event, names, offsetOf(followed.values()))

  const send = async (one: Followed): Promise<void> => {
    const { run } = one
    const leave = (): void => {
      if (followed.get(run.id) !== one) return
      followed.delete(run.id)
      holders.leave(run, connection)
    }
    const tell = (event: Json, isLast: boolean): void => {
      if (isLast) leave()
      emit(event, one.names)
    }
    await sendRun(one, connection, tell, options)
      .catch((error: unknown) => tell(errorEvent(error), true))
      .finally(leave)
  }

  return {
    check() {
      if (followed.size < MOST) return
      const sentence = `${MOST} runs are followed by this socket already.`
      throw new ServiceError('rate-limited', sentence, { retryAfter: 5 })
    },
    follow(run, { after, watches, as = namesOf(run) }) {
      const known = followed.get(run.id)
      if (known) return void Object.assign(known, { names: as, again: true })
      const one = newlyFollowed(run, { cursor: after, watches, names: as })
      followed.set(run.id, one)
      return ordered.add(run.threadId, () => send(one))
    },
    isWatching: (runId) => followed.get(runId)?.watches,
    async takeOver(runId) {
      const one = followed.get(runId)
      if (!one?.watches) return
      for (const event of await unasked(one, options)) emit(event, one.names)
      one.watches = false
      one.turn.abort()
    },
    say(threadId, event, names) {
      if (threadId === undefined) emit(event, names)
      else ordered.add(threadId, () => emit(event, names))
    },
    named: (name) =>
      Array.from(followed.values())
        .filter((one) =>
          name === undefined ? !one.watches : one.names.runId === name || one.run.id === name,
        )
        .map(({ run }) => run),
  }
}

/** The calls that a socket was not asked for, as far as it has come. */
async function unasked(one: Followed, options: FollowingsOptions): Promise<readonly Json[]> {
  let entries: readonly LogEntry[] = []
  for (let read = ''; read !== one.cursor;) {
    read = one.cursor
    entries = await options.runs.structure(one.run)
  }
  const asked = askedUpTo(parseCursor(one.cursor)?.seq ?? 0, { run: one.run, entries })
  if (asked) return asked
  throw new ServiceError('conflict', 'A call is being written just now: ask again in a moment.')
}

/** Where a socket is in all that it follows: a client that comes back says it again. */
function offsetOf(followed: Iterable<Followed>): string {
  const places = Array.from(
    followed,
    ({ run, cursor, watches }) => `${run.id}:${cursor}${watches ? ':w' : ''}`,
  )
  return places.join(',')
}
