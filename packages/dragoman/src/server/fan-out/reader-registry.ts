import { ServiceError } from '../../errors.ts'

/** Who has an answer open. */
export type Reader = {
  readonly userId: string
  readonly tokenId: string | undefined
  /** Aborts when the answer has ended, however. */
  readonly closed: AbortSignal
  /** Breaks it off. */
  readonly disconnect: () => void
}

/** Seconds after which somebody without room may have some. */
const RETRY_AFTER_S = 5

/** Those who read now, and how many of each user. */
export interface ReaderRegistry {
  /** @throws ServiceError `rate-limited` where the user has no room for one more */
  checkRoom(userId: string): void
  /** Counts a reader until it has gone. @throws ServiceError `rate-limited` */
  add(reader: Reader): void
  /** How many read. */
  count(): number
  /** By whose right somebody reads. */
  tokenIds(): string[]
  /** Breaks off all who read by a token. */
  disconnect(tokenId: string): void
}

/** `most`: readers of one user; 0 for any number. */
export function createReaderRegistry(maxPerUser: number): ReaderRegistry {
  const readersByUser = new Map<string, Set<Reader>>()
  const check = (userId: string): void => {
    if (maxPerUser === 0 || (readersByUser.get(userId)?.size ?? 0) < maxPerUser) return
    throw new ServiceError(
      'rate-limited',
      `${maxPerUser} answers are open already: let some of them end first.`,
      {
        retryAfter: RETRY_AFTER_S,
      },
    )
  }
  const all = (): Reader[] => [...readersByUser.values()].flatMap((readers) => Array.from(readers))
  return {
    checkRoom: check,
    add(reader) {
      check(reader.userId)
      if (reader.closed.aborted) return
      const readers = readersByUser.get(reader.userId) ?? new Set()
      readersByUser.set(reader.userId, readers.add(reader))
      reader.closed.addEventListener('abort', () => {
        readers.delete(reader)
        if (readers.size === 0) readersByUser.delete(reader.userId)
      })
    },
    count: () => all().length,
    tokenIds: () => [...new Set(all().flatMap(({ tokenId }) => tokenId ?? []))],
    disconnect(tokenId) {
      for (const reader of all()) if (reader.tokenId === tokenId) reader.disconnect()
    },
  }
}
