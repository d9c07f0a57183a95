import { ServiceError } from '../../errors.ts'

/** A client that reads an answer. */
export type Reader = {
  readonly userId: string
  readonly tokenId: string | undefined
  /** Aborts when the answer has ended for any reason. */
  readonly closed: AbortSignal
  /** Ends the answer. */
  readonly disconnect: () => void
}

const RETRY_AFTER_S = 5

/** The open readers, counted per user. */
export interface ReaderRegistry {
  /** @throws ServiceError `rate-limited` if the user has as many readers as allowed */
  checkRoom(userId: string): void
  /** Counts a reader until it closes. @throws ServiceError `rate-limited` */
  add(reader: Reader): void
  /** The number of open readers. */
  count(): number
  /** The tokens of the open readers. */
  tokenIds(): string[]
  /** Ends all readers of a token. */
  disconnect(tokenId: string): void
}

/** `maxPerUser`: 0 means no limit. */
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
