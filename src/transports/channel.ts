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
): Channel {
  const chunks: Chunk[] = []
  let head = start
  let size = 0
  let state: { over: boolean; error?: unknown } = { over: false }
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const onNews of listeners) onNews()
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
