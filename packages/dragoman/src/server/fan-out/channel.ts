import { ServiceError } from '../../errors.ts'
import type { LogEntry } from '../../events/index.ts'
import type { Chunk } from './encode-entries.ts'
import { slidingWindow, type FrameBuffer } from './frame-buffer.ts'

/** The live end of one run in one view: entries are encoded once for all readers. */
export interface Channel {
  /** The `seq` of the last encoded entry. */
  readonly head: number
  /** The bytes after `seq` up to the head, if they are buffered. */
  after(seq: number): Chunk | undefined
  /** The first entry after `seq + 1` at which buffered bytes begin: a reader that is behind can join there. */
  resumePoint(seq: number): number
  /** Whether nothing comes after the head. @throws the error that ended the log's stream */
  isEnded(): boolean
  /** Calls `onNews` for each change. Returns a function that unsubscribes. */
  subscribe(onNews: () => void): () => void
  /** Fails the readers that wait for more. */
  fail(): void
}

/** Follows `entries`, which begin after `start`, to their end. `encode` is called for each batch, in order. */
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
