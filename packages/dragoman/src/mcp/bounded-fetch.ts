import type { SafeFetch } from '../safe-fetch/index.ts'
import { paceStream } from '../async/index.ts'
import { MAX_ANSWER_BYTES, TooLargeError } from './server-errors.ts'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

const MAX_OAUTH_BYTES = 256 * 1024
const OAUTH_TIMEOUT_MS = 15_000

/** Limits responses, so that an endless one cannot fill the memory. Event streams may be endless. */
export async function boundedFetch(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init)
  const mayBeEndless = response.ok && init?.method !== 'POST'
  return limit(response, mayBeEndless ? Infinity : MAX_ANSWER_BYTES)
}

/**
 * For the addresses that a server names for its sign-in. They are public or on the server's own host, and their
 * responses are small and come in time.
 */
export function createOAuthFetch(serverUrl: string, safeFetch: SafeFetch): Fetch {
  const { hostname } = new URL(serverUrl)
  return async (url, init) => {
    const signal = AbortSignal.timeout(OAUTH_TIMEOUT_MS)
    const send = new URL(url).hostname === hostname ? fetch : safeFetch.fetch
    return limit(await send(url, { ...init, signal }), MAX_OAUTH_BYTES)
  }
}

function limit(response: Response, most: number): Response {
  if (!response.body) return response
  let bytes = 0
  const body = paceStream(response.body, ({ length }) => {
    bytes += length
    if (bytes > most) throw new TooLargeError()
  })
  return new Response(body, response)
}
