import { ServiceError } from '../../errors.ts'

/** Who has an answer open. */
export type Reader = {
  readonly userId: string
  readonly tokenId: string | undefined
  /** Aborts when the answer has ended, however. */
  readonly gone: AbortSignal
  /** Breaks it off. */
  readonly cut: () => void
}

/** Seconds after which somebody without room may have some. */
const RETRY_S = 5

/** Those who read now, and how many of each user. */
export interface Audience {
  /** @throws ServiceError `rate-limited` where the user has no room for one more */
  check(userId: string): void
  /** Counts a reader until it has gone. @throws ServiceError `rate-limited` */
  enter(reader: Reader): void
  /** How many read. */
  count(): number
  /** By whose right somebody reads. */
  tokens(): string[]
  /** Breaks off all who read by a token. */
  dismiss(tokenId: string): void
}

/** `most`: readers of one user; 0 for any number. */
export function audience(most: number): Audience {
  const present = new Map<string, Set<Reader>>()
  const check = (userId: string): void => {
    if (most === 0 || (present.get(userId)?.size ?? 0) < most) return
    throw new ServiceError('rate-limited', `${most} answers are open already: let some of them end first.`, {
      retryAfter: RETRY_S,
    })
  }
  const all = (): Reader[] => [...present.values()].flatMap((readers) => Array.from(readers))
  return {
    check,
    enter(reader) {
      check(reader.userId)
      if (reader.gone.aborted) return
      const readers = present.get(reader.userId) ?? new Set()
      present.set(reader.userId, readers.add(reader))
      reader.gone.addEventListener('abort', () => {
        readers.delete(reader)
        if (readers.size === 0) present.delete(reader.userId)
      })
    },
    count: () => all().length,
    tokens: () => [...new Set(all().flatMap(({ tokenId }) => tokenId ?? []))],
    dismiss(tokenId) {
      for (const reader of all()) if (reader.tokenId === tokenId) reader.cut()
    },
  }
}
