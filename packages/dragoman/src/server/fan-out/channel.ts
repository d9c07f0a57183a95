import { ServiceError } from '../../errors.ts'
import type { LogEntry } from '../../events/index.ts'
import type { Chunk } from './encode-entries.ts'
import { slidingWindow, type FrameBuffer } from './frame-buffer.ts'

/** The live end of one run in one view: encoded once, handed to all who read along. */
export interface Channel {
  /** The last entry that it has taken in. */
  readonly head: number
  /** The bytes from just after a place up to the head, if they are kept. */
  after(seq: number): Chunk | undefined
  /** Where somebody who is behind may join: an entry after `seq` at which kept bytes begin anew. */
  resumePoint(seq: number): number
  /** Whether nothing comes after the head. @throws what broke the log */
  isEnded(): boolean
  /** Tells whenever there is news, until it is called off. */
  subscribe(onNews: () => void): () => void
  /** Breaks off those who wait for more. */
  fail(): void
}

/** Follows `entries`, which begin after `start`, until they end. `encode` is called for each batch, in order. */
export function createChannel(
  start: number,
  entries: AsyncIterable<readonly LogEntry[]>,
  encode: (batch: readonly LogEntry[]) => Chunk,
  buffer: FrameBuffer = slidingWindow(),
): Channel {
  let head = start
  let state: { over: boolean; error?: unknown } = { over: false }
  const listeners = new Set<() => void>()
  const notify = (): void => {
    for (const onNews of listeners) onNews()
  }

  const run = async (): Promise<void> => {
    try {
      for await (const batch of entries) {
        const chunk = encode(batch)
        buffer.add(chunk)
        head = chunk.to
        notify()
      }
      state = { over: true }
    } catch (error) {
      state = { over: true, error }
    }
    notify()
  }
  void run()

  return {
    get head() {
      return head
    },
    after: (seq) => (seq >= head ? undefined : buffer.after(seq)),
    resumePoint: (seq) => buffer.resumePoint(seq) ?? head + 1,
    isEnded() {
      if ('error' in state) throw state.error
      return state.over
    },
    subscribe(onNews) {
      listeners.add(onNews)
      return () => void listeners.delete(onNews)
    },
    fail() {
      state = { over: true, error: new ServiceError('unavailable', 'The run can write no more.') }
      notify()
    },
  }
}
