/** Lets act, for each key, one at a time. @throws what `act` throws, or the signal's reason while it waits */
export type InTurn = <T>(key: string, signal: AbortSignal, act: () => Promise<T>) => Promise<T>

/** So that of two who want the same, the second finds what the first has made, and no model is paid twice. */
export function inTurn(): InTurn {
  const last = new Map<string, Promise<void>>()
  return async (key, signal, act) => {
    const before = last.get(key)
    const { promise: done, resolve: end } = Promise.withResolvers<void>()
    // Whoever gives up waiting does not let the next go before the first has ended.
    const mine = before ? before.then(() => done) : done
    last.set(key, mine)
    try {
      if (before) await orAborted(before, signal)
      return await act()
    } finally {
      end()
      if (last.get(key) === mine) last.delete(key)
    }
  }
}

async function orAborted(before: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.throwIfAborted()
  signal.addEventListener('abort', giveUp)
  try {
    await Promise.race([before, aborted])
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
}
