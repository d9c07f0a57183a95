import { events } from './events.ts'
import { lines } from './lines.ts'
import { pause } from './pause.ts'
import { inDialect, streamOf } from './run-url.ts'
import { unbroken, type OnConnection, type Reading } from './unbroken.ts'

const KEY = 'idempotency-key'
/** How often a request that nobody has answered is sent again: for about seven seconds. */
const FURTHER_TRIES = 4

/**
 * How `resumableFetch` asks.
 *
 * @example
 * const options: ResumableOptions = { onConnection: (isOpen) => console.log(isOpen ? 'online' : 'offline') }
 */
export type ResumableOptions = {
  /** In place of the global one. */
  readonly fetch?: typeof fetch
  /** Where a run’s stream is, for servers behind a proxy that changes paths; `answered` is the address that has answered with the run. */
  readonly stream?: (runId: string, answered: string) => string
  /** Told `false` when the line is lost, and `true` when there is one again. */
  readonly onConnection?: OnConnection
}

/**
 * Returns a `fetch` for the stock transports of `useChat`. The response is one complete body, however often the connection
 * is lost, and ends with the run. It fails only if the run can no longer be read, or the request is aborted.
 *
 * A request without a response is sent again. A POST has an `Idempotency-Key`, so it takes effect once.
 *
 * @example
 * const transport = new DefaultChatTransport({ api: `${url}/dice/chat`, fetch: resumableFetch() })
 */
export function resumableFetch(options: ResumableOptions = {}): typeof fetch {
  const { fetch: send = (...asked) => fetch(...asked), stream = streamOf, onConnection } = options
  return async (input, given) => {
    const { url, init } = await requestOf(input, given)
    const response = await answerTo(send, url, init)
    const runId = response.headers.get('x-run-id')
    const reading = readingOf(response)
    if (runId === null || !response.body || !reading) return response

    const { body: _, ...again } = init
    const leaving = new AbortController()
    const news = unbroken(response.body, reading, {
      fetch: send,
      url: inDialect(stream(runId, url), reading.dialect),
      init: { ...again, method: 'GET', headers: withoutBody(init.headers) },
      signal: leaving.signal,
      onConnection,
    })
    return new Response(bodyOf(news, leaving, init.signal), response)
  }
}

type Asked = RequestInit & { readonly headers: Headers }

async function requestOf(
  input: Parameters<typeof fetch>[0],
  given: RequestInit = {},
): Promise<{ url: string; init: Asked }> {
  if (typeof input === 'string' || 'href' in input) return { url: String(input), init: keyed(given) }
  const { url, method, headers, credentials, signal } = input
  const body = input.body ? { body: await input.arrayBuffer() } : {}
  return { url, init: keyed({ method, headers, credentials, signal, ...body, ...given }) }
}

function keyed(init: RequestInit): Asked {
  const headers = new Headers(init.headers)
  if (init.method === 'POST' && !headers.has(KEY)) headers.set(KEY, newKey())
  return { ...init, headers }
}

/** `crypto.randomUUID` is not there on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-')
}

/** Sends it again where nobody answers, if that does nothing twice and the body can be read twice. @throws what the last try did */
async function answerTo(send: typeof fetch, url: string, init: Asked): Promise<Response> {
  const { method = 'GET', body, signal } = init
  const isSafe = (method === 'GET' || method === 'POST') && !(body instanceof ReadableStream)
  for (let tries = 0; ; tries++) {
    try {
      return await send(url, init)
    } catch (error) {
      if (!isSafe || tries === FURTHER_TRIES || signal?.aborted) throw error
    }
    await pause(tries, signal ?? undefined)
  }
}

/** Nothing where it is not a stream of useChat’s. */
function readingOf({ headers }: Response): Reading<string> | undefined {
  const after = headers.get('x-after') ?? undefined
  if (headers.has('x-vercel-ai-ui-message-stream')) return events(after)
  // Pages of other origins are not shown the header that names it.
  return headers.get('content-type')?.startsWith('text/plain') ? lines(after === undefined) : undefined
}

function withoutBody(given: Headers): Headers {
  const headers = new Headers(given)
  for (const name of [KEY, 'content-type', 'content-length']) headers.delete(name)
  return headers
}

/** News as a body, which breaks when the request is aborted. To let go of it, or to abort, hangs up. */
function bodyOf(
  news: AsyncGenerator<string, void, undefined>,
  leaving: AbortController,
  signal: RequestInit['signal'],
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder()
  const leave = (): void => leaving.abort(signal?.reason)
  signal?.addEventListener('abort', leave, { signal: leaving.signal })
  if (signal?.aborted) leave()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await news.next()
        if (!done) return controller.enqueue(utf8.encode(value))
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      leaving.abort()
    },
    cancel: () => leaving.abort(),
  })
}
