import type { Chunk } from './encode-entries.ts'

/** Bytes kept for readers that are slightly behind. Readers further behind read the log. */
const WINDOW_BYTES = 128 * 1024
/** Readers read a larger chunk from the log, each in their turn: it would stay here as long as nothing follows. */
const MAX_CHUNK_BYTES = 1024 * 1024
/** Overhead of a chunk, which may have no bytes (hidden reasoning). */
const CHUNK_OVERHEAD_BYTES = 64

/** The chunks that a channel keeps for its readers. */
export interface FrameBuffer {
  add(chunk: Chunk): void
  /** The bytes after `seq`, which is before the head. Undefined if they must be read from the log. */
  after(seq: number): Chunk | undefined
  /** The first entry after `seq + 1` at which buffered bytes begin. */
  resumePoint(seq: number): number | undefined
}

/** Keeps the latest chunks, for formats whose frames are increments. */
export function slidingWindow(): FrameBuffer {
  const chunks: Chunk[] = []
  let size = 0
  return {
    add(chunk) {
      if (chunk.bytes.length > MAX_CHUNK_BYTES) {
        chunks.length = 0
        size = 0
        return
      }
      chunks.push(chunk)
      size += chunk.bytes.length + CHUNK_OVERHEAD_BYTES
      while (size > WINDOW_BYTES && chunks.length > 1)
        size -= (chunks.shift()?.bytes.length ?? 0) + CHUNK_OVERHEAD_BYTES
    },
    after(seq) {
      const index = chunks.findLastIndex(({ from }) => from === seq + 1)
      return index < 0 ? undefined : concatChunks(chunks.slice(index))
    },
    resumePoint: (seq) => chunks.find(({ from }) => from > seq + 1)?.from,
  }
}

const NO_BYTES = new Uint8Array()

/**
 * Keeps only the latest frame, for formats whose frames hold the full state: it serves every reader, however far
 * behind. Only a reader that has nothing also needs the first entry's other frames. `start` is the entry before the
 * first chunk.
 */
export function latestOnly(start: number): FrameBuffer {
  let frame: Chunk | undefined
  let end: Chunk | undefined
  return {
    add(chunk) {
      end = chunk
      if (chunk.bytes.length > 0) frame = chunk
    },
    after(seq) {
      if (!end || seq < start) return frame && end && seq > 0 ? chunkAfter(end, seq, frame.bytes) : undefined
      if (!frame || seq >= frame.to) return chunkAfter(end, seq, NO_BYTES)
      return seq > 0 || frame.from === 1 ? chunkAfter(end, seq, frame.bytes) : undefined
    },
    resumePoint(seq) {
      const firstSeq = frame?.from ?? start + 1
      return firstSeq > seq + 1 ? firstSeq : undefined
    },
  }
}

function chunkAfter({ to, last }: Chunk, seq: number, bytes: Uint8Array): Chunk {
  return { from: seq + 1, to, bytes, last }
}

function concatChunks(chunks: readonly Chunk[]): Chunk | undefined {
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
