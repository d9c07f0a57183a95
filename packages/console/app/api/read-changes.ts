import { completeTexts, dataLines } from '@dragoman/client'
import { serverUrl } from './server-url.ts'

/** What the server tells this user's clients to ask for again. `changed`: everything that is shown. */
export type Change =
  | { readonly type: 'changed' | 'questions.changed' }
  | { readonly type: 'thread.changed' | 'thread.deleted'; readonly threadId: string }
  | {
      readonly type: 'run.changed'
      readonly threadId: string
      readonly runId: string
      readonly status: 'queued' | 'running' | 'waiting' | 'finished' | 'failed' | 'cancelled'
    }

/** `lost`: the server cannot be reached. `signed-out`: it knows the user no longer, and reading has ended. */
export type News = Change | { readonly type: 'lost' } | { readonly type: 'signed-out' }

/** A server responds at once. In ms. */
const RESPONSE_TIMEOUT_MS = 30_000
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/** Reads the stream of changes, over as many connections as it takes, until `signal` aborts or the session ends. */
export async function readChanges(onNews: (news: News) => void, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const response = await open(signal)
    if (response?.status === 401) return onNews({ type: 'signed-out' })
    if (response?.ok && response.body) {
      for await (const text of completeTexts(response.body, '\n\n', signal)) {
        failures = 0
        changesIn(text).forEach(onNews)
      }
    } else {
      await response?.body?.cancel()
      if (!signal.aborted) onNews({ type: 'lost' })
    }
    await pause(Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS), signal)
  }
}

function changesIn(text: string): Change[] {
  return dataLines(text).map((line) => JSON.parse(line) as Change)
}

/** Undefined without a response. */
async function open(signal: AbortSignal): Promise<Response | undefined> {
  const controller = new AbortController()
  const hangUp = (): void => controller.abort()
  const silence = setTimeout(hangUp, RESPONSE_TIMEOUT_MS)
  signal.addEventListener('abort', hangUp)
  try {
    return await fetch(serverUrl('/v1/events'), { signal: controller.signal })
  } catch {
    return undefined
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', hangUp)
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
