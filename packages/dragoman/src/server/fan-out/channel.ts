import { ServiceError } from '../../errors.ts'
import type { LogEntry } from '../../events/index.ts'
import type { Chunk } from './encoded.ts'
import { windowOf, type Kept } from './kept.ts'

/** The live end of one run in one view: encoded once, handed to all who read along. */
export interface Channel {
  /** The last entry that it has taken in. */
  readonly head: number
  /** The bytes from just after a place up to the head, if they are kept. */
  after(seq: number): Chunk | undefined
  /** Where somebody who is behind may join: an entry after `seq` at which kept bytes begin anew. */
  joint(seq: number): number
  /** Whether nothing comes after the head. @throws what broke the log */
  over(): boolean
  /** Tells whenever there is news, until it is called off. */
  listen(onNews: () => void): () => void
  /** Breaks off those who wait for more. */
  fail(): void
}

/** Follows `entries`, which begin after `start`, until they end. `encode` is called for each batch, in order. */
export function channel(
  start: number,
  entries: AsyncIterable<readonly LogEntry[]>,
  encode: (batch: readonly LogEntry[]) => Chunk,
  kept: Kept = windowOf(),
): Channel {
  let head = start
  let state: { over: boolean; error?: unknown } = { over: false }
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const onNews of listeners) onNews()
  }

  const run = async (): Promise<void> => {
    try {
      for await (const batch of entries) {
        const chunk = encode(batch)
        kept.add(chunk)
        head = chunk.to
        tell()
      }
      state = { over: true }
    } catch (error) {
      state = { over: true, error }
    }
    tell()
  }
  void run()

  return {
    get head() {
      return head
    },
    after: (seq) => (seq >= head ? undefined : kept.after(seq)),
    joint: (seq) => kept.joint(seq) ?? head + 1,
    over() {
      if ('error' in state) throw state.error
      return state.over
    },
    listen(onNews) {
      listeners.add(onNews)
      return () => void listeners.delete(onNews)
    },
    fail() {
      state = { over: true, error: new ServiceError('unavailable', 'The run can write no more.') }
      tell()
    },
  }
}
