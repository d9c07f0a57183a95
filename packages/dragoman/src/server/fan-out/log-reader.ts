import { ServiceError } from '../../errors.ts'
import type { LogEntry } from '../../events/index.ts'
import { readPage, type Store } from '../../log/index.ts'
import type { PageReader } from '../load/index.ts'
import type { Cursor } from './cursor.ts'
import { encodeEntries, type Chunk } from './encode-entries.ts'
import { primeEncoding, type Encoding } from './prime-encoding.ts'
import type { ReaderRequest } from './reader-request.ts'

/** Entries that a reader behind the live end reads from the log at a time. */
const PAGE_ENTRIES = 200
/** What an encoder may hold that remembers all of a run. */
const MAX_REMEMBERED_BYTES = 16 * 1024 * 1024

/** What such an encoder may write: a run's entries, and all of it again at its end. */
const MAX_BODY_BYTES = 192 * 1024 * 1024

/** The entries after a cursor up to `to`. `lastSeq` is the last known entry of the log. */
export type LogPlace = { readonly after: Cursor; readonly to: number; readonly lastSeq: number }

/** Reads the next page of a place. Undefined if nothing is left. */
export type LogReader = (place: LogPlace) => Promise<Chunk | undefined>

/** Reads a log page by page for one reader. */
export function createLogReader(request: ReaderRequest, store: Store, pages: PageReader): LogReader {
  const { run, protocol, history } = request
  const remembersAll = protocol.remembersAll?.(request.view) ?? false
  const encoder = createPageEncoder(request, store)
  const read = async ({ after, to }: LogPlace, maxBytes: number): Promise<readonly LogEntry[]> =>
    store.read(run.id, after.seq, { to, limit: PAGE_ENTRIES, maxBytes })
  const isLarge = async (place: LogPlace): Promise<boolean> => {
    const start = { ...place, after: { seq: 0, frames: 0 } }
    const last = (await readPage((maxBytes) => read(start, maxBytes))).at(-1)
    return last !== undefined && last.seq < Math.min(place.to, place.lastSeq)
  }
  /** All pages as one: what the encoder remembers must be gone before the reader takes anything. */
  const encodeAll = async (place: LogPlace): Promise<Chunk | undefined> => {
    const chunks: Chunk[] = []
    let size = 0
    for (let next: LogPlace | undefined = place; next;) {
      const current: LogPlace = next
      const entries = await readPage((maxBytes) => read(current, maxBytes))
      const chunk = await encoder.encode(entries, current)
      if (chunk) chunks.push(chunk)
      size += chunk?.bytes.length ?? 0
      if (size > MAX_BODY_BYTES)
        throw new ServiceError('too-large', `Run ${run.id} is too large for readers of ${protocol.name}.`)
      next = chunk && { ...place, after: { seq: chunk.to, frames: 0 } }
    }
    const [first, last] = [chunks[0], chunks.at(-1)]
    return (
      first && last && { ...last, from: first.from, bytes: Buffer.concat(chunks.map(({ bytes }) => bytes)) }
    )
  }

  return async (place) => {
    const historyBytes = place.after.seq === 0 ? ((await history?.bytes()) ?? 0) : 0
    const make = async (
      bytes: number,
      work: () => Promise<Chunk | undefined>,
    ): Promise<Chunk | undefined> => {
      let chunk: Chunk | undefined
      await pages.make(historyBytes + bytes, async () => {
        chunk = await work()
        return chunk?.bytes ?? new Uint8Array()
      })
      return chunk
    }
    try {
      if (remembersAll && (await isLarge(place)))
        return await make(MAX_REMEMBERED_BYTES, () => encodeAll(place))
      return await readPage((maxBytes) =>
        make(maxBytes, async () => encoder.encode(await read(place, maxBytes), place)),
      )
    } finally {
      if (remembersAll) encoder.forget()
    }
  }
}

/** Encodes the pages of a log. Pages that follow one another share an encoder. */
function createPageEncoder(request: ReaderRequest, store: Store) {
  const { protocol, numbered, history } = request
  const { framing, eventName } = protocol
  let encoding: Encoding | undefined
  let end = -1
  return {
    async encode(entries: readonly LogEntry[], { after, lastSeq }: LogPlace): Promise<Chunk | undefined> {
      if (entries.length === 0) return undefined
      if (!encoding || end !== after.seq) {
        const before = after.seq === 0 ? await history?.read() : undefined
        encoding = await primeEncoding(store, request, after.seq, before)
      }
      const more = (entries.at(-1)?.seq ?? 0) < lastSeq
      const how = { framing, eventName, numbered, skip: after.frames, more }
      const chunk = encodeEntries(entries, { ...encoding, ...how })
      end = chunk.to
      return chunk
    },
    forget(): void {
      encoding = undefined
    },
  }
}
