import { ServiceError } from '../errors.ts'

/** How long another connection may hold the file before the query fails. */
const BUSY_TIMEOUT_MS = 10_000
const BUSY_PAUSE_MS = 1
/**
 * Runs a statement of SQLite: again and again while another connection writes. `ms`: how long the last try took of this
 * thread.
 */
export async function runStatement<T>(
  action: () => T | Promise<T>,
): Promise<{ readonly value: T; readonly ms: number }> {
  return retryWhileBusy(async () => {
    const start = performance.now()
    const value = action()
    const ms = performance.now() - start
    return { value: await value, ms }
  })
}

/** Retries with a timer while another connection writes. A synchronous wait would block every stream. */
async function retryWhileBusy<T>(action: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + BUSY_TIMEOUT_MS
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw unavailable(error)
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS))
    }
  }
}

/**
 * Converts the errors of an unusable file (busy, full, read-only, broken). SQLite's own message stays in the
 * cause and is not sent.
 */
function unavailable(error: unknown): unknown {
  if (!UNUSABLE.has(codeOf(error))) return error
  return new ServiceError('unavailable', 'The database cannot be used right now.', { cause: error })
}

/** BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. https://www.sqlite.org/rescode.html */
const UNUSABLE: ReadonlySet<number | undefined> = new Set([5, 8, 10, 11, 13, 14, 26])

function isBusy(error: unknown): boolean {
  return codeOf(error) === 5
}

/** The primary code is the low byte of the extended one. */
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}
