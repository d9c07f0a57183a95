import type { Body } from './complete-texts.ts'
import { withProtocol, runStreamUrl } from './run-url.ts'
import { readError, resumeStream, type OnConnectionChange, type StreamReader } from './resume-stream.ts'

/**
 * How to ask for a run’s stream.
 *
 * @example
 * const options: ConnectionOptions = { signal, headers: { authorization: 'Bearer dgm_…' } }
 */
export type ConnectionOptions = {
  /** Aborts the iteration, which throws the signal’s reason. The run continues. */
  readonly signal?: AbortSignal
  /** Headers of each request, such as `authorization`. */
  readonly headers?: NonNullable<RequestInit['headers']>
  /** Whether a browser sends cookies. */
  readonly credentials?: NonNullable<RequestInit['credentials']>
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Called with `false` when the connection is lost, and with `true` when it is restored. */
  readonly onConnection?: OnConnectionChange
}

/**
 * Follows the stream of a run. `run` is the URL of the stream, or the response to the request that started the run.
 * `query` is added to the URL.
 * @throws Error as {@link readError}; the signal’s reason where that aborts
 *
 * @example
 * for await (const word of follow(`${url}/v1/runs/${runId}/events`, words, {})) console.log(word)
 */
export async function* follow<T>(
  run: string | URL | Response,
  reader: StreamReader<T>,
  options: ConnectionOptions,
  query = '',
): AsyncGenerator<T, void, undefined> {
  const { signal = new AbortController().signal, headers, credentials, onConnection } = options
  const { url, body } = await openStream(run)
  const { redirected: isRedirected } = run as Partial<Response>
  yield* resumeStream(body, reader, {
    fetch: options.fetch ?? ((...args) => fetch(...args)),
    url: withProtocol(url, reader.protocol) + query,
    // The headers were for the address that redirected.
    init: { ...(headers && !isRedirected && { headers }), ...(credentials && { credentials }) },
    signal,
    onConnection,
  })
}

async function openStream(run: string | URL | Response): Promise<{ url: string; body?: Body }> {
  if (typeof run === 'string' || 'href' in run) return { url: String(run) }
  const runId = run.headers.get('x-run-id')
  if (!run.ok || !run.body || runId === null) throw await readError(run)
  return { url: runStreamUrl(runId, run.url), body: run.body }
}
