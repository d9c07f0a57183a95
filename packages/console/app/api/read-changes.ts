import { createClient, type Change } from '@dragoman/client/v1'
import { basePath } from './server-url.ts'

export type { Change }

/** `lost`: the server cannot be reached. `signed-out`: it knows the user no longer, and reading has ended. */
export type News = Change | { readonly type: 'lost' } | { readonly type: 'signed-out' }

/** A server that refuses for another reason is asked again so much later, in ms. */
const REFUSED_MS = 30_000

/** Reads the stream of changes, over as many connections as it takes, until `signal` aborts or the session ends. */
export async function readChanges(onNews: (news: News) => void, signal: AbortSignal): Promise<void> {
  const onConnection = (isConnected: boolean): void => {
    if (!isConnected) onNews({ type: 'lost' })
  }
  const { changes } = createClient({ url: basePath })
  while (!signal.aborted) {
    try {
      for await (const change of changes({ signal, onConnection })) onNews(change)
    } catch (error) {
      if (signal.aborted) return
      const { status } = ((error as Error).cause ?? {}) as { readonly status?: number }
      if (status === 401) return onNews({ type: 'signed-out' })
      onNews({ type: 'lost' })
      await pause(REFUSED_MS, signal)
    }
  }
}

/** Ends early when the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = (): void => {
    clearTimeout(timer)
    removeEventListener('online', end)
    signal.removeEventListener('abort', end)
    resolve()
  }
  const timer = setTimeout(end, ms)
  addEventListener('online', end)
  signal.addEventListener('abort', end)
  return promise
}
