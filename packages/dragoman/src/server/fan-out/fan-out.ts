import { isLive, type LogEntry, type RunSummary } from '../../events/index.ts'
import type { RunLog, Store } from '../../log/index.ts'
import type { PageReader } from '../load/index.ts'
import { createChannel, type Channel } from './channel.ts'
import { checkCursor, cursorAhead } from './check-cursor.ts'
import { lastEntryOf, startCursor, type Cursor } from './cursor.ts'
import { encodeEntries, type Chunk } from './encode-entries.ts'
import type { Feed } from './feed.ts'
import { latestOnly } from './frame-buffer.ts'
import { locateChunk, type ChunkPosition } from './locate-chunk.ts'
import { createLogReader } from './log-reader.ts'
import { paceBatches } from './pace-batches.ts'
import { primeEncoding, type Encoding } from './prime-encoding.ts'
import { createReaderDepartures, type ReaderDepartures } from './reader-departures.ts'
import { withoutMessages, type ReaderRequest } from './reader-request.ts'
import { openRunFeed, type Subscription } from './run-feed.ts'

/** Up to this entry, a run has just begun: its first readers share all of it. */
const FRESH_ENTRIES = 2
const KEEP_DEPARTURES_MS = 10_000

/**
 * Sends runs to their readers. A reader is a cursor: it takes bytes when its socket can accept them and holds none.
 */
export interface FanOut {
  /**
   * The place in a run of a cursor, as a client sends it or as it was made here. The result has its entry's mark.
   * @throws ServiceError `cursor-ahead` if it is beyond the log, `cursor-unknown` if it is of another log: either stays
   * so
   */
  locate(run: RunSummary, cursor: string | Cursor): Promise<Cursor>
  /**
   * `pages` reads what is not shared.
   * @throws ServiceError `cursor-ahead`, `rate-limited` or `overloaded` if there is no room for a first page
   */
  open(request: ReaderRequest, pages?: PageReader): Promise<Feed>
  /** The position of a client that counts chunks. @throws ServiceError `cursor-ahead` */
  findChunk(request: ReaderRequest, index: number): Promise<ChunkPosition>
  /** Fails the live readers of a run that can no longer write: a clean end would look like success. */
  disconnectReaders(runId: string): void
  /** Whether a run has a live reader. */
  isFollowed(runId: string): boolean
  /** The readers of this process that have left their run. */
  readonly departures: Pick<ReaderDepartures, 'has' | 'next'>
}

type SharedChannel = { readonly runId: string; channel: Channel; readers: number; close(): void }

const unlimitedPages: PageReader = { make: async (_bytes, page) => page(), release: () => undefined }

export function createFanOut({ store, log }: { store: Store; log: RunLog }): FanOut {
  const channels = new Map<string, SharedChannel>()
  const departures = createReaderDepartures(KEEP_DEPARTURES_MS)

  /** Joins the live end of readers with the same view, or opens one. */
  const join = (request: ReaderRequest, start: number): Subscription => {
    const key = shareKey(request)
    const channel = channels.get(key) ?? openChannel({ store, log }, request, start)
    channels.set(key, channel)
    channel.readers += 1
    return {
      channel: channel.channel,
      leave() {
        channel.readers -= 1
        if (channel.readers > 0) return
        channel.close()
        departures.record(channel.runId)
        if (channels.get(key) === channel) channels.delete(key)
      },
    }
  }

  return {
    async open(whole, pages = unlimitedPages) {
      const { protocol, view } = whole
      const run = protocol.remembersAll?.(view) ? whole.run : withoutMessages(whole.run)
      const request = { ...whole, run }
      const after = request.after ?? startCursor
      if (lastEntryOf(after) > run.lastSeq) throw cursorAhead(run)
      const isOpen = isLive(run) && request.to === undefined
      return openRunFeed({
        after,
        read: createLogReader(request, store, pages),
        pages,
        subscription: isOpen ? join(request, channelStart(request)) : undefined,
        lastKnownSeq: request.to ?? run.lastSeq,
        // A queued run waits for the run before it, whose output belongs to this run's history.
        waitsFor: request.history && run.status === 'queued' ? 2 : 0,
      })
    },
    locate: (run, cursor) => checkCursor(store, run, cursor),
    findChunk: (request, index) => locateChunk(store, request, index),
    isFollowed: (runId) => [...channels.values()].some((each) => each.runId === runId && each.readers > 0),
    departures,
    disconnectReaders(runId) {
      for (const [key, each] of channels) {
        if (each.runId !== runId) continue
        // Later readers follow the log themselves: another process may end the run.
        channels.delete(key)
        each.channel.fail()
      }
    },
  }
}

/**
 * The entry after which readers share what is encoded. The history before a run is sent with its first entry, to each
 * reader alone.
 */
function channelStart({ run, after = startCursor, history }: ReaderRequest): number {
  const shared = run.lastSeq <= FRESH_ENTRIES ? (history ? 1 : 0) : run.lastSeq
  return Math.max(after.seq, shared)
}

/** Readers with equal keys get equal bytes. */
function shareKey({ run, protocol, view, numbered, after }: ReaderRequest): string {
  return JSON.stringify([run.id, protocol.name, numbered, view, after?.atStep && after.seq])
}

function openChannel(
  { store, log }: { store: Store; log: RunLog },
  request: ReaderRequest,
  start: number,
): SharedChannel {
  const { run, protocol, numbered, view } = request
  const { framing, eventName } = protocol
  const closing = new AbortController()
  let encoding: Encoding | undefined
  const follow = async function* (): AsyncGenerator<readonly LogEntry[], void> {
    for await (const batch of log.follow(run.id, start, closing.signal)) {
      encoding ??= await primeEncoding(store, request, start)
      yield batch
    }
  }
  const batches = follow()
  const encode = (batch: readonly LogEntry[]): Chunk => {
    if (!encoding) throw new Error('An entry came before the run had begun.')
    return encodeEntries(batch, { ...encoding, framing, eventName, numbered })
  }
  const pace = protocol.pace?.(view) ?? 0
  return {
    channel:
      pace === 0
        ? createChannel(start, batches, encode)
        : createChannel(start, paceBatches(batches, pace), encode, latestOnly(start)),
    runId: run.id,
    readers: 0,
    close: () => closing.abort(),
  }
}
