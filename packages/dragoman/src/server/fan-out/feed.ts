/** Keeps proxies from closing an idle connection. In ms. */
const HEARTBEAT_MS = 15_000
/** The first byte is sent by then, even if the run has nothing to send. In ms. */
const FIRST_BYTE_MS = 50

/** Bytes for one reader. The reader takes them when its socket is writable, so nothing is buffered for it. */
export interface Feed {
  /** The next bytes, `wait` until `whenMore` calls back, or `end`. @throws the error that ended the feed */
  take(): Uint8Array | 'wait' | 'end'
  /** Calls back once, when `take` will not return `wait`. A new call replaces the old callback. */
  whenMore(tell: () => void): void
  /** Releases the feed. The reader has left, or has everything. */
  close(): void
}

/** A callback that is called once. */
export function createWaiter(): { wait(tell: () => void): void; tell(): void } {
  let waiting: (() => void) | undefined
  return {
    wait(tell) {
      waiting = tell
    },
    tell() {
      const listener = waiting
      waiting = undefined
      listener?.()
    },
  }
}

const COMMENT = ': ping\n\n'

/**
 * Says `heartbeat` where nothing comes at first, and after each 15 s in which there was nothing to take. A heartbeat
 * that is a frame never comes before the run's own first frame: a comment stands in for it.
 */
export function withHeartbeat(feed: Feed, heartbeat: string): Feed {
  const utf8 = new TextEncoder()
  const beat = utf8.encode(heartbeat)
  let isBegun = !heartbeat.startsWith('data:')
  const { wait, tell } = createWaiter()
  let due = false
  const speak = (): void => {
    due = true
    tell()
  }
  const first = setTimeout(speak, FIRST_BYTE_MS)
  let silence: NodeJS.Timeout | undefined
  const scheduleHeartbeat = (): void => {
    if (silence) return void silence.refresh()
    clearTimeout(first)
    silence = setTimeout(speak, HEARTBEAT_MS)
  }
  return {
    take() {
      const chunk = feed.take()
      if (chunk === 'wait' && !due) return chunk
      due = false
      scheduleHeartbeat()
      if (chunk === 'wait') return isBegun ? beat : utf8.encode(COMMENT)
      isBegun = true
      return chunk
    },
    whenMore(listener) {
      wait(listener)
      feed.whenMore(tell)
    },
    close() {
      clearTimeout(first)
      clearTimeout(silence)
      feed.close()
    },
  }
}

/**
 * Pieces that are made as they are taken: the next one is asked for when there is room for it. `first` is the result
 * that the generator has given already.
 */
export function feedFromGenerator(
  pieces: AsyncGenerator<Uint8Array>,
  first?: IteratorResult<Uint8Array, unknown>,
): Feed {
  const { wait, tell } = createWaiter()
  let result = first
  let failure: { readonly error: unknown } | undefined
  let isPulling = false
  const pull = async (): Promise<void> => {
    isPulling = true
    try {
      result = await pieces.next()
    } catch (error) {
      failure = { error }
    }
    isPulling = false
    tell()
  }
  return {
    take() {
      if (failure) throw failure.error
      if (result?.done) return 'end'
      const piece = result?.value
      if (piece) result = undefined
      else if (!isPulling) void pull()
      return piece ?? 'wait'
    },
    whenMore: wait,
    close() {
      // Where it is in the middle of a piece it ends after that.
      pieces.return(undefined).catch(() => undefined)
    },
  }
}
