import { ServiceError } from '../../errors.ts'
import { readPages, type Store } from '../../log/index.ts'
import { startCursor, type Cursor } from './cursor.ts'
import type { ReaderRequest } from './reader-request.ts'

/** The cursor to continue after, and the index of the last existing chunk (-1 for none). */
export type ChunkPosition = { readonly after: Cursor; readonly lastIndex: number }

/**
 * Converts a chunk index to a cursor, for clients that count chunks from 0. A negative index counts from the end.
 * Only the encoder knows the chunks of an entry, so the log is encoded once for the count.
 * @throws ServiceError `cursor-ahead`; `invalid-request` for formats with full-state frames, whose number depends on
 * time
 */
export async function locateChunk(
  store: Store,
  request: ReaderRequest,
  index: number,
): Promise<ChunkPosition> {
  if (request.protocol.pace?.(request.view))
    throw new ServiceError('invalid-request', 'startIndex: there is none where each frame says everything.')
  const ends = await chunkEnds(store, request)
  const count = ends.at(-1) ?? 0
  const target = index < 0 ? Math.max(0, count + index) : index
  if (target > count) {
    throw new ServiceError('cursor-ahead', `Run ${request.run.id} has only ${count} chunks.`, {
      details: { runId: request.run.id, last: count - 1 },
    })
  }
  return { after: cursorAfter(ends, target), lastIndex: count - 1 }
}

/** The number of chunks up to the end of each entry. */
async function chunkEnds(store: Store, { run, protocol, view }: ReaderRequest): Promise<number[]> {
  const encode = protocol.encoder({ run, view })
  const ends: number[] = []
  for await (const page of readPages(store, run.id, 0, { to: run.lastSeq }))
    for (const entry of page) ends.push((ends.at(-1) ?? 0) + encode(entry).filter(isChunk).length)
  return ends
}

/** The end marker of a stream is not a chunk. */
function isChunk(frame: string): boolean {
  return frame.startsWith('{')
}

function cursorAfter(ends: readonly number[], count: number): Cursor {
  if (count === 0) return startCursor
  const seq = ends.findIndex((end) => end >= count) + 1
  const before = ends[seq - 2] ?? 0
  return ends[seq - 1] === count ? { seq, frames: 0 } : { seq: seq - 1, frames: count - before }
}
