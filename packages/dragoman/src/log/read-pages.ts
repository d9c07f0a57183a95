import { fairQueue } from '../async/index.ts'
import { isServiceError } from '../errors.ts'
import type { LogEntry } from '../events/index.ts'
import type { Reading, Store } from './store.ts'

/** The size of what is read of a log at a time. A larger entry comes alone. */
export const PAGE_BYTES: number = 256 * 1024
const PAGE_ENTRIES = 1000
/** No reader is given a larger entry: no run may have produced it. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024

/** Reads large entries one after the other, those of all runs in turn. */
const largeEntries = fairQueue()

/**
 * Calls `read` with the size of a page, and `readLarge` (default: the same) with the size of the next entry if that is
 * larger.
 */
export async function readPage<T>(
  read: (maxBytes: number) => Promise<T>,
  readLarge: (bytes: number) => Promise<T> = read,
): Promise<T> {
  try {
    return await read(PAGE_BYTES)
  } catch (error) {
    const bytes = isServiceError(error, 'too-large') ? error.details['bytes'] : undefined
    if (typeof bytes !== 'number' || bytes > MAX_ENTRY_BYTES) throw error
    return readLarge(bytes)
  }
}

/** The entries of a run after a place, in pages of bounded size. Each must be used before the next one is read. */
export async function* readPages(
  store: Pick<Store, 'read'>,
  runId: string,
  after: number,
  what: Omit<Reading, 'limit' | 'maxBytes'>,
): AsyncGenerator<readonly LogEntry[]> {
  for (let last = after; ;) {
    const read = async (maxBytes: number): Promise<readonly LogEntry[]> =>
      store.read(runId, last, { ...what, limit: PAGE_ENTRIES, maxBytes })
    const page = await readPage(read, (bytes) => largeEntries.run(runId, () => read(bytes)))
    const end = page.at(-1)
    if (!end) return
    yield page
    last = end.seq
  }
}
