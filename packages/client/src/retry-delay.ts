const MAX_DELAY_MS = 30_000

/** Events that browsers have and Node does not. */
type Page = { addEventListener?: Listen; removeEventListener?: Listen }
type Listen = (type: 'online', listener: () => void) => void
const page = globalThis as Page

/**
 * Waits before a retry: 100 ms at first, then 1 s and doubling up to 30 s, with jitter of 50 %, so that clients do
 * not reconnect all at once; at least `minMs`. A page that is online again stops waiting.
 * @throws the signal's reason if it aborts
 */
export async function retryDelay(tries: number, signal?: AbortSignal, minMs = 0): Promise<void> {
  const ms = tries === 0 ? 100 : Math.min(MAX_DELAY_MS, 1000 * 2 ** (tries - 1))
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      page.removeEventListener?.('online', done)
      resolve()
    }
    const timer = setTimeout(done, Math.max(minMs, ms * (0.5 + Math.random())))
    signal?.addEventListener('abort', done)
    page.addEventListener?.('online', done)
    if (signal?.aborted) done()
  })
  signal?.throwIfAborted()
}
