import type { Chunk } from './encoded.ts'

/** Bytes that are kept for readers a little behind. Who is further behind reads the log. */
const WINDOW_BYTES = 128 * 1024
/** What one chunk costs beside its bytes, which may be none (hidden reasoning). */
const CHUNK_COST = 64

/** What a channel keeps of its chunks, for those who read along. */
export interface Kept {
  add(chunk: Chunk): void
  /** What a reader is sent who has had all up to an entry before the last: nothing where that has to be read from the log. */
  after(seq: number): Chunk | undefined
  /** The first entry after the next one at which kept bytes begin. */
  joint(seq: number): number | undefined
}

/** The last chunks, each of which says what the ones before it do not. */
export function windowOf(): Kept {
  const chunks: Chunk[] = []
  let size = 0
  return {
    add(chunk) {
      chunks.push(chunk)
      size += chunk.bytes.length + CHUNK_COST
      while (size > WINDOW_BYTES && chunks.length > 1)
        size -= (chunks.shift()?.bytes.length ?? 0) + CHUNK_COST
    },
    after(seq) {
      const index = chunks.findLastIndex(({ from }) => from === seq + 1)
      return index < 0 ? undefined : joined(chunks.slice(index))
    },
    joint: (seq) => chunks.find(({ from }) => from > seq + 1)?.from,
  }
}

const NONE = new Uint8Array()

/**
 * The newest frame alone, where each says everything: it is for all who have not had it, however far behind. Only what stands beside the
 * first entry's frame is not said again: who has had nothing begins there. `start` is the entry that the chunks come after.
 */
export function newestOf(start: number): Kept {
  let frame: Chunk | undefined
  let end: Chunk | undefined
  return {
    add(chunk) {
      end = chunk
      if (chunk.bytes.length > 0) frame = chunk
    },
    after(seq) {
      if (!end || seq < start) return frame && end && seq > 0 ? upTo(end, seq, frame.bytes) : undefined
      if (!frame || seq >= frame.to) return upTo(end, seq, NONE)
      return seq > 0 || frame.from === 1 ? upTo(end, seq, frame.bytes) : undefined
    },
    joint(seq) {
      const begins = frame?.from ?? start + 1
      return begins > seq + 1 ? begins : undefined
    },
  }
}

function upTo({ to, last }: Chunk, seq: number, bytes: Uint8Array): Chunk {
  return { from: seq + 1, to, bytes, last }
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
