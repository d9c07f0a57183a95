import type { PageReader } from '../load/index.ts'
import type { Channel } from './channel.ts'
import type { Cursor } from './cursor.ts'
import type { Chunk } from './encode-entries.ts'
import { createWaiter, type Feed } from './feed.ts'
import type { LogReader } from './log-reader.ts'

const NO_LIMIT = Number.MAX_SAFE_INTEGER

/** A reader's place at the live end of a run. */
export type Subscription = { readonly channel: Channel; leave(): void }

export type RunFeedOptions = {
  readonly after: Cursor
  /** Reads the log for this reader only. */
  readonly read: LogReader
  readonly pages: PageReader
  /** The live end, if the run is live. */
  readonly subscription: Subscription | undefined
  /** The last known entry: a run that waited before it has continued. Without a live end, it is the last to send. */
  readonly lastKnownSeq: number
  /** Nothing is sent before this entry is there. */
  readonly waitsFor: number
}

type State = 'open' | 'reading' | 'ended' | 'closed' | { readonly error: unknown }

/**
 * Serves shared bytes if they are buffered; a reader further behind reads the log itself.
 * @throws what reading the first page throws, if the reader needs it now
 */
export async function openRunFeed(options: RunFeedOptions): Promise<Feed> {
  const { read, pages, subscription, lastKnownSeq, waitsFor } = options
  const { wait, tell } = createWaiter()
  const source = subscription?.channel
  let at = options.after
  let own: Chunk | undefined
  let state = 'open' as State

  const lastKnown = (): number => Math.max(lastKnownSeq, source?.head ?? 0)
  const isAtHead = (): boolean => source !== undefined && source.head <= Math.max(at.seq, waitsFor - 1)
  const readShared = (): Chunk | undefined => (at.frames === 0 ? source?.after(at.seq) : undefined)
  const readOn = async (): Promise<void> => {
    state = 'reading'
    const to = source ? (source.resumePoint(at.seq) ?? NO_LIMIT) - 1 : lastKnownSeq
    const result = await settle(read({ after: at, to, lastSeq: lastKnown() }))
    own = result.chunk
    // A reader that has left meanwhile stays closed.
    if (state === 'reading') state = result.state
    tell()
  }
  const takeChunk = (): Chunk | undefined => {
    const chunk = own ?? readShared()
    // What was read before has been taken.
    if (!own && state !== 'reading') pages.release()
    own = undefined
    return chunk
  }
  const close = (): void => {
    if (state === 'closed') return
    state = 'closed'
    unlisten?.()
    subscription?.leave()
    pages.release()
    tell()
  }
  const unlisten = source?.subscribe(tell)
  if (!isAtHead() && !readShared()) await readOn()
  if (typeof state === 'object') {
    const { error } = state
    close()
    throw error
  }
  return {
    take() {
      for (let chunk = takeChunk(); chunk; chunk = takeChunk()) {
        at = { seq: chunk.to, frames: 0 }
        if (chunk.last && at.seq >= lastKnown()) state = 'ended'
        if (chunk.bytes.length > 0) return chunk.bytes
      }
      if (typeof state === 'object') throw state.error
      if (state === 'ended' || state === 'closed') return 'end'
      if (state === 'reading') return 'wait'
      if (isAtHead()) return source?.isEnded() ? 'end' : 'wait'
      void readOn()
      return 'wait'
    },
    whenMore: wait,
    close,
  }
}

async function settle(
  reading: Promise<Chunk | undefined>,
): Promise<{ readonly chunk?: Chunk; readonly state: State }> {
  try {
    const chunk = await reading
    return chunk ? { chunk, state: 'open' } : { state: 'ended' }
  } catch (error) {
    return { state: { error } }
  }
}
