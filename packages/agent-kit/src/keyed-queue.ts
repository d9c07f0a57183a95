import { raceAbort } from 'dragoman/async'

/**
 * Runs the tasks of each key one at a time. @throws the error of `task`, or the signal's reason while the task
 * waits
 */
export type KeyedQueue = <T>(key: string, signal: AbortSignal, task: () => Promise<T>) => Promise<T>

/**
 * Creates a queue. The second of two equal requests then finds the result of the first, so no model is paid
 * twice.
 */
export function keyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>()
  return async (key, signal, task) => {
    const previous = last.get(key)
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    // If a waiting task gives up, the next one still waits for the first.
    const current = previous ? previous.then(() => done) : done
    last.set(key, current)
    try {
      if (previous) await raceAbort(previous, signal, () => signal.throwIfAborted())
      return await task()
    } finally {
      end()
      if (last.get(key) === current) last.delete(key)
    }
  }
}
