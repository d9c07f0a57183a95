import { isServiceError } from '../errors.ts'
import { FILES_CHANGED } from '../file-identity.ts'

/** READONLY and FULL. https://www.sqlite.org/rescode.html */
const UNWRITABLE: ReadonlySet<number> = new Set([8, 13])

/**
 * Waits for work that writes what readers are shown. Where nothing can be stored until somebody acts, because the disk
 * is full or the files of the database are gone, readers are shown what is there.
 */
export async function skipUnwritable(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!isServiceError(error, 'unavailable') || !isUnwritable(error.cause)) throw error
  }
}

function isUnwritable(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  if ('errcode' in cause) return UNWRITABLE.has(Number(cause.errcode) & 0xff)
  return 'code' in cause && cause.code === FILES_CHANGED
}
