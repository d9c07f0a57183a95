/** So that a proxy does not take the line for dead. */
const HEARTBEAT_MS = 15_000
/** Whoever waits for the first byte has it by then, though there is nothing to say. */
const FIRST_BYTE_MS = 50

/** Bytes for one reader, who takes them when its socket can: nothing is kept for one who takes none. */
export interface Feed {
  /** What is at hand; `wait` until `whenMore` tells; `end` where there will be no more. @throws what broke it */
  take(): Uint8Array | 'wait' | 'end'
  /** Tells once, when there is something else to take than `wait`. Only whoever asked last is told. */
  whenMore(tell: () => void): void
  /** Lets go of it: the reader has gone, or has had all. */
  close(): void
}

/** One who waits, and is told once. */
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

/** Says `heartbeat` where nothing comes at first, and after each 15 s in which there was nothing to take. */
export function withHeartbeat(feed: Feed, heartbeat: string): Feed {
  const beat = new TextEncoder().encode(heartbeat)
  const { wait, tell } = createWaiter()
  let due = false
  const speak = (): void => {
    due = true
    tell()
  }
  const first = setTimeout(speak, FIRST_BYTE_MS)
  let silence: NodeJS.Timeout | undefined
  const spoken = (): void => {
    if (silence) return void silence.refresh()
    clearTimeout(first)
    silence = setTimeout(speak, HEARTBEAT_MS)
  }
  return {
    take() {
      const taken = feed.take()
      if (taken === 'wait' && !due) return taken
      due = false
      spoken()
      return taken === 'wait' ? beat : taken
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

/** Pieces that are made as they are taken: the next one is asked for when there is room for it. */
export function feedFromGenerator(pieces: AsyncGenerator<Uint8Array>): Feed {
  const { wait, tell } = createWaiter()
  let result: IteratorResult<Uint8Array, unknown> | undefined
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
