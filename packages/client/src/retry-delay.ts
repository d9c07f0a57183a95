const MAX_DELAY_MS = 30_000

/** What a browser has and Node has not. */
type Page = { addEventListener?: Listen; removeEventListener?: Listen }
type Listen = (type: 'online', listener: () => void) => void
const page = globalThis as Page

/**
 * Waits before a further try: hardly at first, then 1 s and each time twice as long, up to 30 s, by half more or less, so that those whom
 * one server lost do not all come at once; `atLeast` that many ms. A page that is online again waits no longer.
 * @throws the signal's reason where that aborts
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
