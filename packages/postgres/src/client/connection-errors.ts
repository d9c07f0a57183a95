import { setTimeout as wait } from 'node:timers/promises'

import { ServiceError } from 'dragoman/errors'

/** How long a query waits for a database that is away: a restart of 30 s, and the time to connect again. */
export const MAX_OUTAGE_MS = 35_000
const FIRST_PAUSE_MS = 20
const MAX_PAUSE_MS = 500

/**
 * SQLSTATE of a server that goes down, starts, or has become a standby; that lacks memory, disk or connections; of a
 * connection that it refuses, or has ended because its transaction was idle; and of a statement that it gave up in a
 * deadlock, as with a newer node that changes the tables. That one has written nothing.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const AWAY = /^(?:08...|57P0[1235]|53[0-3]00|25006|25P03|40P01)$/
const SYSTEM = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
])
/** Errors of `pg` itself, which have no code. */
const LOST = [
  'Connection terminated',
  'Query read timeout',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed',
]

/** Whether the connection or the server failed, and not the statement. The statement may have been committed. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlState(error)
  if (code !== undefined) return AWAY.test(code) || SYSTEM.has(code)
  return LOST.some((start) => error.message.startsWith(start))
}

/** The SQLSTATE of a database's error, or the code of a system's. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/**
 * Repeats an action that may be repeated safely while the database is away, for at most 35 s.
 * @throws ServiceError `unavailable`
 */
export async function retryWhileAway<T>(action: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const deadline = performance.now() + MAX_OUTAGE_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await action()
    } catch (error) {
      if (!isConnectionError(error)) throw error
      if (performance.now() > deadline || signal?.aborted) throw unavailable(error)
    }
    await wait(pauseMs, undefined, { signal }).catch(() => undefined)
  }
}

/** The error of a database that does not come back. Its own words may hold a host name and stay in the cause. */
export function unavailable(cause: unknown): ServiceError {
  return new ServiceError('unavailable', 'The database cannot be used right now.', { cause })
}
