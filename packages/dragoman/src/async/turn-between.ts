import { userOfWork } from './work-for.ts'

/** A step over fewer bytes takes a few ms. */
const LARGE_BYTES = 256 * 1024

/** What begins the steps of each user, in the order of their turns. */
const waiting = new Map<string, (() => void)[]>()

/**
 * Gives the event loop a turn between two steps of work on so many bytes, if they are many: to read, to parse, to write
 * and to encode 16 MB takes some 30 ms each.
 */
export async function turnBetween(bytes: number): Promise<void> {
  if (bytes >= LARGE_BYTES) await nextTurn()
}

/**
 * Waits for a turn of the event loop in which no other work that waits here goes on: each is about to take long. Users
 * have turns: a step waits for one of each other user, however many they have.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (waiting.size === 0) setImmediate(beginNext)
  const user = userOfWork()
  const steps = waiting.get(user)
  if (steps) steps.push(resolve)
  else waiting.set(user, [resolve])
  return promise
}

function beginNext(): void {
  const [next] = waiting
  if (!next) return
  const [user, steps] = next
  const begin = steps.shift()
  waiting.delete(user)
  if (steps.length > 0) waiting.set(user, steps)
  if (waiting.size > 0) setImmediate(beginNext)
  begin?.()
}
