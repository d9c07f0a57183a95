import { setTimeout as pause } from 'node:timers/promises'

import { fairQueue } from './fair-queue.ts'
import { userOfWork } from './work-for.ts'

/** About so many bytes are passed on at once: they may be a hundred events, each of which is read and stored. */
const PIECE_BYTES = 4096
/** In so many ms, all streams of a user pass on a piece without waiting: four times what ten fast models send. */
const USUAL_MS = 4
const pieces = fairQueue()

/** Bytes that each user's streams have passed on since `since`. */
const passed = new Map<string, number>()
let since = 0

/**
 * The same bytes, in pieces. Whoever sends faster than a model speaks is read piece by piece, users in turns, and the
 * event loop is free in between: what sends tiny events fast would keep it from all others. Each stream that comes from
 * another server goes through this. A stream at a usual pace waits for nothing. `check` gets each piece: what it throws
 * ends the stream.
 */
export function paceStream(
  body: ReadableStream<Uint8Array>,
  check: (piece: Uint8Array) => void = () => undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const user = userOfWork()
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader()
  let rest: Uint8Array<ArrayBuffer> | undefined
  let isCanceled = false
  return new ReadableStream(
    {
      async pull(controller) {
        const chunk = rest ?? (await reader.read()).value
        if (!chunk) return isCanceled ? undefined : controller.close()
        const end = pieceEnd(chunk)
        rest = end < chunk.length ? chunk.subarray(end) : undefined
        const piece = rest ? chunk.subarray(0, end) : chunk
        try {
          check(piece)
        } catch (error) {
          void reader.cancel(error).catch(() => undefined)
          throw error
        }
        const pass = (): void => {
          if (!isCanceled) controller.enqueue(piece)
        }
        if (isUsualPace(user, end)) return pass()
        // What is not in the queue has as much time as the pieces in it.
        await pieces.run(user, async () => {
          const ms = await timeOf(pass)
          if (ms >= 1) await pause(ms)
        })
      },
      cancel(reason) {
        isCanceled = true
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Does something in a turn of the event loop, with what it leads to at once. Resolves with the time of that, in ms. */
function timeOf(act: () => void): Promise<number> {
  return new Promise((resolve) => {
    let start = 0
    setImmediate(() => {
      start = performance.now()
      act()
    })
    // Runs after the first one and its promises, and before anything else.
    setImmediate(() => resolve(performance.now() - start))
  })
}

const LF = 10
const CR = 13

/** A piece ends at the end of a line: a parser may read what it has of a line again for each piece. */
function pieceEnd(chunk: Uint8Array): number {
  if (chunk.length <= PIECE_BYTES) return chunk.length
  const ends = [LF, CR].map((byte) => chunk.indexOf(byte, PIECE_BYTES)).filter((index) => index >= 0)
  return ends.length === 0 ? chunk.length : Math.min(...ends) + 1
}

function isUsualPace(user: string, bytes: number): boolean {
  const now = performance.now()
  if (now - since >= USUAL_MS) {
    passed.clear()
    since = now
  }
  const before = passed.get(user) ?? 0
  passed.set(user, before + bytes)
  return before + bytes <= PIECE_BYTES
}
