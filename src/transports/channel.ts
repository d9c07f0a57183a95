import { ServiceError } from '../errors.ts'
import type { LogEntry } from '../events/index.ts'
import type { Chunk } from './encoded.ts'

/** Bytes that are kept for readers a little behind. Who is further behind reads the log. */
const WINDOW_BYTES = 128 * 1024
/** What one chunk costs beside its bytes, which may be none (hidden reasoning). */
const CHUNK_COST = 64

/** The live end of one run in one view: encoded once, handed to all who read along. */
export interface Channel {
  /** The last entry that it has taken in. */
  readonly head: number
  /** The bytes from just after a place up to the head, if they are kept. */
  after(seq: number): Chunk | undefined
  /** Where somebody who is behind may join: an entry after `seq` at which kept bytes begin anew. */
  joint(seq: number): number
  /** Resolves when there is more than a reader at `seq` has; false when there never will be, or `gone` has aborted. @throws what broke the log. */
  more(seq: number, gone: AbortSignal): Promise<boolean>
  /** Breaks off those who wait for more. */
  fail(): void
}

/** Follows `entries`, which begin after `start`, until they end. `encode` is called for each batch, in order. */
export function channel(
  start: number,
  entries: AsyncIterable<readonly LogEntry[]>,
  encode: (batch: readonly LogEntry[]) => Chunk,
): Channel {
  const chunks: Chunk[] = []
  let head = start
  let size = 0
  let state: { over: boolean; error?: unknown } = { over: false }
  // One promise for all would be raced against each reader's going, and keep what was raced.
  const waiting = new Set<() => void>()
  const tell = (): void => {
    for (const wake of waiting) wake()
  }

  const run = async (): Promise<void> => {
    try {
      for await (const batch of entries) {
        const chunk = encode(batch)
        chunks.push(chunk)
        head = chunk.to
        size += chunk.bytes.length + CHUNK_COST
        while (size > WINDOW_BYTES && chunks.length > 1)
          size -= (chunks.shift()?.bytes.length ?? 0) + CHUNK_COST
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
    after(seq) {
      if (seq >= head) return undefined
      const index = chunks.findLastIndex(({ from }) => from === seq + 1)
      return index < 0 ? undefined : joined(chunks.slice(index))
    },
    joint: (seq) => chunks.find(({ from }) => from > seq + 1)?.from ?? head + 1,
    async more(seq, gone) {
      while (head <= seq && !state.over && !gone.aborted) await woken(waiting, gone)
      if (head <= seq && 'error' in state) throw state.error
      return head > seq && !gone.aborted
    },
    fail() {
      state = { over: true, error: new ServiceError('unavailable', 'The run can write no more.') }
      tell()
    },
  }
}

function woken(waiting: Set<() => void>, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      waiting.delete(wake)
      gone.removeEventListener('abort', wake)
      resolve()
    }
    waiting.add(wake)
    gone.addEventListener('abort', wake)
  })
}

function joined(chunks: readonly Chunk[]): Chunk | undefined {
  const [first] = chunks
  const end = chunks.at(-1)
  if (!first || !end || chunks.length === 1) return first
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.bytes.length, 0))
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk.bytes, at)
    at += chunk.bytes.length
  }
  return { from: first.from, to: end.to, bytes, last: end.last }
}
