import { fairQueue } from '../../async/index.ts'
import type { Hold, LoadShare } from './load-account.ts'

/** A page of at most so many bytes waits for no place. */
const MAX_SMALL_BYTES = 256 * 1024
/** A large page takes a place for each of these bytes, but no more places than its user may have. */
const BYTES_PER_PLACE = 1024 * 1024

/**
 * Large pages, and those after a reader's first, are made one at a time. Users take turns, and between two pages the
 * loop is free for twice as long: a client on the same machine takes all pages as fast as they are made.
 */
const turns = fairQueue({ rest: 2 })

/**
 * Reads something of any size for one reader, page by page. What a page takes counts until the reader has taken it.
 * A place is held while a page is made and never while a reader takes it: slow readers make no other reader wait.
 */
export interface PageReader {
  /**
   * Makes a page from about so many bytes, once there is room for it. A large page also waits for its turn. The page
   * before it has been taken.
   * @throws ServiceError `rate-limited` or `overloaded` after 30 s, or the signal's reason
   */
  make(bytes: number, page: () => Promise<Uint8Array>): Promise<Uint8Array>
  /** The last page has been taken, or never will be. */
  release(): void
}

export function createPageReader(share: LoadShare, signal: AbortSignal): PageReader {
  const { party } = share
  const payer = 'userId' in party ? party.userId : party.address
  let held: Hold | undefined
  let isFirst = true
  const release = (): void => {
    held?.release()
    held = undefined
  }
  return {
    async make(bytes, page) {
      release()
      const isLarge = bytes > MAX_SMALL_BYTES
      const room = await share.wait('bytesUnsent', bytes, signal, isLarge ? 'large' : 'all')
      held = room
      try {
        const places = Math.ceil(bytes / BYTES_PER_PLACE)
        const place = isLarge ? await share.wait('expensiveReads', places, signal) : undefined
        const making = isFirst && !isLarge ? page() : turns.run(payer, page)
        isFirst = false
        const made = await making.finally(() => place?.release())
        room.record(made.length)
        return made
      } catch (error) {
        release()
        throw error
      }
    },
    release,
  }
}
