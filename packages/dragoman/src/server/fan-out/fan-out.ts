import type { ReaderRequest } from './reader-request.ts'
import { ServiceError } from '../../errors.ts'
import { isLive, type LogEntry } from '../../events/index.ts'
import type { RunLog, Store } from '../../log/index.ts'
import type { Encoder } from '../../protocols/index.ts'
import { createChannel, type Channel } from './channel.ts'
import { locateChunk, type ChunkPosition } from './locate-chunk.ts'
import { startCursor, type Cursor } from './cursor.ts'
import { createReaderDepartures } from './reader-departures.ts'
import {
  encodeEntries,
  createEndDetector,
  skipToNextStep,
  type Chunk,
  type EndDetector,
} from './encode-entries.ts'
import { createWaiter, type Feed } from './feed.ts'
import { latestOnly } from './frame-buffer.ts'
import { paceBatches } from './pace-batches.ts'

/** Entries that a reader behind the live end reads from the log at a time. */
const PAGE_ENTRIES = 200
const NO_LIMIT = Number.MAX_SAFE_INTEGER
const KEEP_DEPARTURES_MS = 10_000

/**
 * Sends runs to their readers. A reader is a cursor: it takes bytes when its socket can accept them and holds none.
 */
export interface FanOut {
  /** @throws ServiceError `cursor-ahead` if the cursor is beyond the log */
  open(request: ReaderRequest): Promise<Feed>
  /** The position of a client that counts chunks. @throws ServiceError `cursor-ahead` */
  findChunk(request: ReaderRequest, index: number): Promise<ChunkPosition>
  /** Fails the live readers of a run that can no longer write: a clean end would look like success. */
  disconnectReaders(runId: string): void
  /** Whether a run has a live reader. */
  isFollowed(runId: string): boolean
  /** When a run lost its last reader in this process, in ms since 1970. Undefined if that was long ago or never. */
  lastReaderLeftAt(runId: string): number | undefined
}

type SharedChannel = { readonly runId: string; channel: Channel; readers: number; close(): void }
type Subscription = { channel: Channel; leave(): void }

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
    async open(request) {
      const { run } = request
      const after = request.after ?? startCursor
      if (after.seq + (after.frames > 0 ? 1 : 0) > run.lastSeq) {
        throw new ServiceError('cursor-ahead', `Run ${run.id} has only ${run.lastSeq} entries.`, {
          details: { runId: run.id, last: run.lastSeq },
        })
      }
      const isOpen = isLive(run) && request.to === undefined
      const subscription = isOpen ? join(request, Math.max(after.seq, run.lastSeq - PAGE_ENTRIES)) : undefined
      const lastSeq = request.to ?? run.lastSeq
      return createRunFeed({
        after,
        read: createLogReader(request, store),
        subscription,
        lastKnownSeq: lastSeq,
      })
    },
    findChunk: (request, index) => locateChunk(store, request, index),
    isFollowed: (runId) => [...channels.values()].some((each) => each.runId === runId && each.readers > 0),
    lastReaderLeftAt: departures.lastAt,
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
    const queue: LogEntry[] = []
    for await (const batch of log.follow(run.id, start, closing.signal)) {
      queue.push(...batch)
      // A queued run waits for the run before it, whose output belongs to this run's history.
      if (request.loadHistory && run.status === 'queued' && queue.at(-1)?.event.type === 'run.started')
        continue
      encoding ??= await primeEncoding(store, request, start)
      yield queue.splice(0)
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

type Encoding = { readonly encoder: Encoder; readonly ends: EndDetector }

/**
 * Creates an encoder and feeds it the structure before an entry, so that its cost does not grow with the text so far.
 */
async function primeEncoding(store: Store, request: ReaderRequest, at: number): Promise<Encoding> {
  const { run, protocol, view, after } = request
  const thread = await request.loadHistory?.()
  const whole = protocol.encoder({ run, view, ...(thread && { before: thread }) })
  const encoder = after?.atStep ? skipToNextStep(whole, after.seq) : whole
  const ends = createEndDetector(protocol)
  const filter = protocol.remembersAll?.(view) ? {} : ({ structure: true } as const)
  const before = at === 0 ? [] : await store.read(run.id, 0, { ...filter, to: at, limit: NO_LIMIT })
  for (const entry of before) {
    // The frames are discarded.
    encoder(entry, true)
    ends(entry.event)
  }
  return { encoder, ends }
}

/** Reads the log page by page for one reader, up to but not including the entry `before`. */
function createLogReader(request: ReaderRequest, store: Store) {
  let encoding: Encoding | undefined
  let place = -1
  return async (after: Cursor, before: number, lastSeq: number): Promise<Chunk | undefined> => {
    const { run, numbered, protocol, to = NO_LIMIT } = request
    const entries = await store.read(run.id, after.seq, { to: Math.min(before - 1, to), limit: PAGE_ENTRIES })
    if (entries.length === 0) return undefined
    if (!encoding || place !== after.seq) encoding = await primeEncoding(store, request, after.seq)
    const chunk = encodeEntries(entries, {
      ...encoding,
      framing: protocol.framing,
      eventName: protocol.eventName,
      numbered,
      skip: after.frames,
      more: (entries.at(-1)?.seq ?? 0) < lastSeq,
    })
    place = chunk.to
    return chunk
  }
}

type Source = {
  readonly after: Cursor
  /** Reads the log for this reader only. */
  readonly read: ReturnType<typeof createLogReader>
  /** The live end, if the run is live. */
  readonly subscription: Subscription | undefined
  /** The last known entry: a run that waited before it has continued. */
  readonly lastKnownSeq: number
}

/** Serves shared bytes if they are buffered; a reader further behind reads the log itself. */
function createRunFeed({ after, read, subscription, lastKnownSeq }: Source): Feed {
  const { wait, tell } = createWaiter()
  const source = subscription?.channel
  const unlisten = source?.subscribe(tell)
  let at = after
  let own: Chunk | undefined
  let departures = false
  let state: 'open' | 'reading' | 'ended' | { readonly error: unknown } = 'open'

  const readOn = async (): Promise<void> => {
    state = 'reading'
    try {
      own = await read(at, source?.resumePoint(at.seq) ?? NO_LIMIT, lastKnown())
      state = own && !departures ? 'open' : 'ended'
    } catch (error) {
      state = { error }
    }
    tell()
  }
  const lastKnown = (): number => Math.max(lastKnownSeq, source?.head ?? 0)
  const next = (): Chunk | undefined => {
    const chunk = own ?? (at.frames === 0 ? source?.after(at.seq) : undefined)
    own = undefined
    return chunk
  }
  return {
    take() {
      for (let chunk = next(); chunk; chunk = next()) {
        at = { seq: chunk.to, frames: 0 }
        if (chunk.last && at.seq >= lastKnown()) state = 'ended'
        if (chunk.bytes.length > 0) return chunk.bytes
      }
      if (typeof state === 'object') throw state.error
      if (state === 'ended') return 'end'
      if (state === 'reading') return 'wait'
      if (source && at.seq >= source.head) return source.isEnded() ? 'end' : 'wait'
      void readOn()
      return 'wait'
    },
    whenMore: wait,
    close() {
      if (departures) return
      departures = true
      unlisten?.()
      subscription?.leave()
      state = 'ended'
      tell()
    },
  }
}
