/** Lets act, for each key, one at a time. @throws what `act` throws, or the signal's reason while it waits */
export type KeyedQueue = <T>(key: string, signal: AbortSignal, task: () => Promise<T>) => Promise<T>

/** So that of two who want the same, the second finds what the first has made, and no model is paid twice. */
export function keyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>()
  return async (key, signal, task) => {
    const previous = last.get(key)
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    // Whoever gives up waiting does not let the next go before the first has ended.
    const current = previous ? previous.then(() => done) : done
    last.set(key, current)
    try {
      if (previous) await waitUnlessAborted(previous, signal)
      return await task()
    } finally {
      end()
      if (last.get(key) === current) last.delete(key)
    }
  }
}

async function waitUnlessAborted(previous: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', giveUp)
  try {
    await Promise.race([previous, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
