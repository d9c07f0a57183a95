/** A step over fewer bytes takes a few ms. */
const LARGE_BYTES = 256 * 1024

const waiting: (() => void)[] = []

/**
 * Gives the event loop a turn between two steps of work on so many bytes, if they are many: to read, to parse, to write
 * and to encode 16 MB takes some 30 ms each.
 */
export async function turnBetween(bytes: number): Promise<void> {
  if (bytes >= LARGE_BYTES) await nextTurn()
}

/** Waits for a turn of the event loop in which no other work that waits here goes on: each is about to take long. */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (waiting.push(resolve) === 1) setImmediate(beginNext)
  return promise
}

function beginNext(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(beginNext)
}
