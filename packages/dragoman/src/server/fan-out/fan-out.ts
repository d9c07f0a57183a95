import type { Reading } from './reading.ts'
import { ServiceError } from '../../errors.ts'
import { isLive, type LogEntry } from '../../events/index.ts'
import type { RunLog, Store } from '../../log/index.ts'
import type { Encoder } from '../../protocols/index.ts'
import { channel, type Channel } from './channel.ts'
import { indexed, type Indexed } from './chunk-index.ts'
import { fromStart, type Cursor } from './cursor.ts'
import { departures } from './departures.ts'
import { encodeEntries, endings, fromNextStep, type Chunk, type Ends } from './encoded.ts'
import { waiter, type Feed } from './feed.ts'
import { newestOf } from './kept.ts'
import { paced } from './paced.ts'

/** Entries that a reader who is behind takes from the log at a time. */
const PAGE = 200
const ALL = Number.MAX_SAFE_INTEGER
/** How long it is remembered when a run lost its last reader. */
const DEPARTURE_MS = 10_000

/** Sends runs to their readers. A reader is a cursor: it holds no bytes, it takes them when its socket can. */
export interface FanOut {
  /** @throws ServiceError `cursor-ahead` where the cursor lies beyond the log */
  open(reading: Reading): Promise<Feed>
  /** The place of a reader who counts chunks. @throws ServiceError `cursor-ahead` */
  indexed(reading: Reading, index: number): Promise<Indexed>
  /** Breaks off whoever reads a run live: it can write no more, and a clean end would read as success. */
  cut(runId: string): void
  /** Whether somebody reads a run live. */
  isFollowed(runId: string): boolean
  /** When a run lost its last reader here, in ms since 1970; nothing where it had none, or that is long ago. */
  lastLeft(runId: string): number | undefined
}

type Shared = { readonly runId: string; channel: Channel; readers: number; close(): void }
type Joined = { channel: Channel; leave(): void }

export function fanOut({ store, log }: { store: Store; log: RunLog }): FanOut {
  const shared = new Map<string, Shared>()
  const left = departures(DEPARTURE_MS)

  /** Joins the live end that others with the same view read, or begins it. */
  const join = (reading: Reading, start: number): Joined => {
    const key = shareKey(reading)
    const known = shared.get(key) ?? begin({ store, log }, reading, start)
    shared.set(key, known)
    known.readers += 1
    return {
      channel: known.channel,
      leave() {
        known.readers -= 1
        if (known.readers > 0) return
        known.close()
        left.note(known.runId)
        if (shared.get(key) === known) shared.delete(key)
      },
    }
  }

  return {
    async open(reading) {
      const { run } = reading
      const after = reading.after ?? fromStart
      if (after.seq + (after.frames > 0 ? 1 : 0) > run.lastSeq) {
        throw new ServiceError('cursor-ahead', `Run ${run.id} has only ${run.lastSeq} entries.`, {
          details: { runId: run.id, last: run.lastSeq },
        })
      }
      const isOpen = isLive(run) && reading.to === undefined
      const joined = isOpen ? join(reading, Math.max(after.seq, run.lastSeq - PAGE)) : undefined
      const known = reading.to ?? run.lastSeq
      return feedOf({ after, read: ownReading(reading, store), joined, known })
    },
    indexed: (reading, index) => indexed(store, reading, index),
    isFollowed: (runId) => [...shared.values()].some((each) => each.runId === runId && each.readers > 0),
    lastLeft: left.lastOf,
    cut(runId) {
      for (const [key, each] of shared) {
        if (each.runId !== runId) continue
        // Those who come later follow the log anew: somebody may end it.
        shared.delete(key)
        each.channel.fail()
      }
    },
  }
}

/** What makes two readers' bytes equal. */
function shareKey({ run, protocol, view, numbered, after }: Reading): string {
  return JSON.stringify([run.id, protocol.name, numbered, view, after?.atStep && after.seq])
}

function begin({ store, log }: { store: Store; log: RunLog }, reading: Reading, start: number): Shared {
  const { run, protocol, numbered, view } = reading
  const { framing, eventName } = protocol
  const closing = new AbortController()
  let writing: Writing | undefined
  const follow = async function* (): AsyncGenerator<readonly LogEntry[], void> {
    const held: LogEntry[] = []
    for await (const batch of log.follow(run.id, start, closing.signal)) {
      held.push(...batch)
      // Admitted, and waiting for its turn: the run before it goes on, and what that says belongs to what was said before.
      if (reading.before && run.status === 'queued' && held.at(-1)?.event.type === 'run.started') continue
      writing ??= await primed(store, reading, start)
      yield held.splice(0)
    }
  }
  const batches = follow()
  const encode = (batch: readonly LogEntry[]): Chunk => {
    if (!writing) throw new Error('An entry came before the run had begun.')
    return encodeEntries(batch, { ...writing, framing, eventName, numbered })
  }
  const pace = protocol.pace?.(view) ?? 0
  return {
    channel:
      pace === 0
        ? channel(start, batches, encode)
        : channel(start, paced(batches, pace), encode, newestOf(start)),
    runId: run.id,
    readers: 0,
    close: () => closing.abort(),
  }
}

type Writing = { readonly encoder: Encoder; readonly ends: Ends }

/** An encoder of a run that has begun, which knows how the message is built up to a place: what that costs does not grow with what was said. */
async function primed(store: Store, reading: Reading, at: number): Promise<Writing> {
  const { run, protocol, view, after } = reading
  const thread = await reading.before?.()
  const whole = protocol.encoder({ run, view, ...(thread && { before: thread }) })
  const encoder = after?.atStep ? fromNextStep(whole, after.seq) : whole
  const ends = endings(protocol)
  const what = protocol.remembersAll?.(view) ? {} : ({ structure: true } as const)
  const before = at === 0 ? [] : await store.read(run.id, 0, { ...what, to: at, limit: ALL })
  for (const entry of before) {
    // Nobody will see its frames.
    encoder(entry, true)
    ends(entry.event)
  }
  return { encoder, ends }
}

/** Reads by itself, a page at a time, up to (not including) an entry. What follows up to the last that is `known` is sent at once. */
function ownReading(reading: Reading, store: Store) {
  let writing: Writing | undefined
  let place = -1
  return async (after: Cursor, before: number, known: number): Promise<Chunk | undefined> => {
    const { run, numbered, protocol, to = ALL } = reading
    const entries = await store.read(run.id, after.seq, { to: Math.min(before - 1, to), limit: PAGE })
    if (entries.length === 0) return undefined
    if (!writing || place !== after.seq) writing = await primed(store, reading, after.seq)
    const chunk = encodeEntries(entries, {
      ...writing,
      framing: protocol.framing,
      eventName: protocol.eventName,
      numbered,
      skip: after.frames,
      more: (entries.at(-1)?.seq ?? 0) < known,
    })
    place = chunk.to
    return chunk
  }
}

type Source = {
  readonly after: Cursor
  /** Reads the log for this reader alone. */
  readonly read: ReturnType<typeof ownReading>
  /** The live end, where there is one. */
  readonly joined: Joined | undefined
  /** As far as the log is known to go: a run that waited before that has gone on. */
  readonly known: number
}

/** The bytes that others read too, where they are kept; whoever is further behind reads the log by itself. */
function feedOf({ after, read, joined, known }: Source): Feed {
  const { wait, tell } = waiter()
  const source = joined?.channel
  const unlisten = source?.listen(tell)
  let at = after
  let own: Chunk | undefined
  let left = false
  let state: 'open' | 'reading' | 'ended' | { readonly error: unknown } = 'open'

  const readOn = async (): Promise<void> => {
    state = 'reading'
    try {
      own = await read(at, source?.joint(at.seq) ?? ALL, lastKnown())
      state = own && !left ? 'open' : 'ended'
    } catch (error) {
      state = { error }
    }
    tell()
  }
  const lastKnown = (): number => Math.max(known, source?.head ?? 0)
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
      if (source && at.seq >= source.head) return source.over() ? 'end' : 'wait'
      void readOn()
      return 'wait'
    },
    whenMore: wait,
    close() {
      if (left) return
      left = true
      unlisten?.()
      joined?.leave()
      state = 'ended'
      tell()
    },
  }
}
