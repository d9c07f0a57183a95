/**
 * Calls `onFirst` for the first Ctrl+C, and aborts the signal at the second. Dispose it when the answer has ended.
 */
export function watchInterrupts(onFirst: () => void): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController()
  let count = 0
  const onInterrupt = (): void => {
    count += 1
    if (count === 1) onFirst()
    else controller.abort()
  }
  process.on('SIGINT', onInterrupt)
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => void process.off('SIGINT', onInterrupt),
  }
}
