import { agUiReader } from './ag-ui-reader.ts'
import { uiMessageStreamReader } from './ui-message-stream-reader.ts'
import { dataStreamReader } from './data-stream-reader.ts'
import { retryDelay } from './retry-delay.ts'
import { withProtocol, runStreamUrl } from './run-url.ts'
import { resumeStream, type AnswerFormat, type OnConnectionChange } from './resume-stream.ts'

const KEY_HEADER = 'idempotency-key'
/** Retries of a request without a response, over about seven seconds. */
const MAX_RETRIES = 4

/**
 * How `resumableFetch` asks.
 *
 * @example
 * const options: ResumableOptions = { onConnection: (isOpen) => console.log(isOpen ? 'online' : 'offline') }
 */
export type ResumableOptions = {
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
  /**
   * Returns the URL of a run’s stream, for servers behind a proxy that changes paths. `respondedUrl` is the URL that
   * responded with the run.
   */
  readonly stream?: (runId: string, respondedUrl: string) => string
  /** Protocols besides the built-in ones. The first one that recognizes an answer reads it. */
  readonly formats?: readonly AnswerFormat[]
  /** Called with `false` when the connection is lost, and with `true` when it is restored. */
  readonly onConnection?: OnConnectionChange
}

/**
 * Returns a `fetch` for the stock transports of `useChat`, and for AG-UI clients. The response is one complete body,
 * however often the connection is lost, and ends with the run. It fails only if the run can no longer be read, or the
 * request is aborted.
 *
 * A request without a response is sent again. A POST has an `Idempotency-Key`, so it takes effect once.
 *
 * @example
 * const transport = new DefaultChatTransport({ api: `${url}/dice/chat`, fetch: resumableFetch() })
 */
export function resumableFetch(options: ResumableOptions = {}): typeof fetch {
  const {
    fetch: send = (...args) => fetch(...args),
    stream = runStreamUrl,
    formats = [],
    onConnection,
  } = options
  const readers = [...formats, uiMessageStreamReader, agUiReader, dataStreamReader]
  return async (input, requestInit) => {
    const { url, init } = await toRequest(input, requestInit)
    const response = await sendWithRetries(send, url, init)
    const runId = response.headers.get('x-run-id')
    const reader = readers.map((open) => open(response.headers)).find(Boolean)
    // It may be a stream for other clients.
    if (runId === null || !response.body || !reader) return response

    const { body: _, ...again } = init
    const closing = new AbortController()
    const request = reader.repeats
      ? { url, init }
      : {
          url: withProtocol(stream(runId, url), reader.protocol),
          init: { ...again, method: 'GET', headers: withoutBody(init.headers) },
        }
    const news = resumeStream(response.body, reader, {
      ...request,
      fetch: send,
      signal: closing.signal,
      onConnection,
    })
    return new Response(toBody(news, closing, init.signal), response)
  }
}

type KeyedInit = RequestInit & { readonly headers: Headers }

async function toRequest(
  input: Parameters<typeof fetch>[0],
  given: RequestInit = {},
): Promise<{ url: string; init: KeyedInit }> {
  if (typeof input === 'string' || 'href' in input) return { url: String(input), init: withKey(given) }
  const { url, method, headers, credentials, signal } = input
  const body = input.body ? { body: await input.arrayBuffer() } : {}
  return { url, init: withKey({ method, headers, credentials, signal, ...body, ...given }) }
}

function withKey(init: RequestInit): KeyedInit {
  const headers = new Headers(init.headers)
  if (init.method === 'POST' && !headers.has(KEY_HEADER)) headers.set(KEY_HEADER, newKey())
  return { ...init, headers }
}

/** `crypto.randomUUID` is missing on pages without TLS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('-')
}

/**
 * Sends a request again without a response, if it is idempotent and its body can be read twice.
 * @throws the error of the last try
 */
async function sendWithRetries(send: typeof fetch, url: string, init: KeyedInit): Promise<Response> {
  const { method = 'GET', body, signal } = init
  const isSafe = (method === 'GET' || method === 'POST') && !(body instanceof ReadableStream)
  for (let tries = 0; ; tries++) {
    try {
      return await send(url, init)
    } catch (error) {
      if (!isSafe || tries === MAX_RETRIES || signal?.aborted) throw error
    }
    await retryDelay(tries, signal ?? undefined)
  }
}

function withoutBody(source: Headers): Headers {
  const headers = new Headers(source)
  for (const name of [KEY_HEADER, 'content-type', 'content-length']) headers.delete(name)
  return headers
}

/** A body that fails when the request is aborted. Cancelling or aborting it disconnects. */
function toBody(
  news: AsyncGenerator<string, void, undefined>,
  closing: AbortController,
  signal: RequestInit['signal'],
): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder()
  const abort = (): void => closing.abort(signal?.reason)
  signal?.addEventListener('abort', abort, { signal: closing.signal })
  if (signal?.aborted) abort()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await news.next()
        if (!done) return controller.enqueue(utf8.encode(value))
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      closing.abort()
    },
    cancel: () => closing.abort(),
  })
}
