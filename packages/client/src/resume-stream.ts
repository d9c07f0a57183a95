import { completeTexts, type Body } from './complete-texts.ts'
import { retryDelay } from './retry-delay.ts'

/** A server responds at once: a request without a response for this long is dead. */
const RESPONSE_TIMEOUT_MS = 37_500
/** Statuses below 500 that say nothing about the run: too slow, too early, too often. */
const RETRY_STATUSES = new Set([408, 425, 429])

/**
 * Reads the bodies of several responses as the stream of one run.
 *
 * @example
 * const words: StreamReader<string> = {
 *   protocol: 'words',
 *   boundary: '\n\n',
 *   type: 'text/event-stream',
 *   cursor: () => undefined,
 *   take: (text) => dataLines(text),
 *   isEnded: () => true,
 * }
 */
export interface StreamReader<T> {
  readonly protocol: string
  /** The end of a complete piece. */
  readonly boundary: string
  /** The start of the bodies’ content type. */
  readonly type: string
  /** The cursor of the last piece: the next body starts after it. */
  cursor(): string | undefined
  /** Takes complete pieces of a body and returns what is new in them. */
  take(text: string): readonly T[]
  /** Whether the request itself is sent again for the rest, in place of one for the run. */
  readonly repeats?: true
  /** Called after each body, ended or cut: whether the run’s stream has ended too. */
  isEnded(): boolean
}

/**
 * Opens a reader for an answer with these headers, if the answer is in its protocol.
 *
 * @example
 * const readWords: AnswerFormat = (headers) => (headers.has('x-words') ? words : undefined)
 * const fetch = resumableFetch({ formats: [readWords] })
 */
export type AnswerFormat = (headers: Headers) => StreamReader<string> | undefined

export type StreamSource = {
  readonly fetch: typeof fetch
  /** The URL of the run’s stream. */
  readonly url: string
  /** Headers and credentials of each request. */
  readonly init: RequestInit
  readonly signal: AbortSignal
  readonly onConnection?: OnConnectionChange | undefined
}

/** Called with `false` when the connection is lost, and with `true` when it is restored. */
export type OnConnectionChange = (isConnected: boolean) => void

/**
 * Yields the content of a run’s stream once, over as many bodies as it takes. It ends only with the run’s stream.
 * @throws Error as {@link readError} if the run cannot be read; the signal’s reason if it aborts
 */
export async function* resumeStream<T>(
  first: Body | undefined,
  reader: StreamReader<T>,
  source: StreamSource,
): AsyncGenerator<T, void, undefined> {
  const { signal } = source
  const isConnected = notifyOnChange(source.onConnection)
  let body = first ?? (await reconnect(reader, source))
  // Counts bodies and requests without new content.
  for (let idle = 0; body !== undefined; idle++) {
    const wait = typeof body === 'number' ? body : 0
    if (typeof body === 'object') {
      isConnected(true)
      for await (const each of readNews(body, reader, signal)) {
        idle = 0
        yield each
      }
      if (reader.isEnded()) return
      signal.throwIfAborted()
    }
    isConnected(false)
    await retryDelay(idle, signal, wait)
    body = await reconnect(reader, source)
  }
}

/** The connection counts as up until it is lost, so the first `true` is not reported. */
export function notifyOnChange(listener: OnConnectionChange | undefined): OnConnectionChange {
  let isComplete = true
  return (isConnected) => {
    if (isConnected !== isComplete) listener?.(isConnected)
    isComplete = isConnected
  }
}

async function* readNews<T>(
  body: Body,
  { boundary, take }: StreamReader<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  for await (const text of completeTexts(body, boundary, signal)) {
    const cut = findCut(text, boundary)
    for (const each of take(text.slice(0, cut))) {
      signal.throwIfAborted()
      yield each
    }
  }
}

/** How a server begins its last words where it cuts a body off, in events and in lines. */
const LAST_WORDS = [': interrupted\n', '8:[{"interrupted":true}]\n']

/** Where the last words of a body begin that is cut off, which are for clients that do not read on; or `Infinity`. */
function findCut(text: string, boundary: string): number {
  const places = LAST_WORDS.map((words) => (boundary + text).indexOf(boundary + words))
  return Math.min(...places.filter((place) => place >= 0))
}

/** Returns the next body; undefined if nothing is left; a delay in ms if the request must be retried. */
export async function reconnect(
  reader: Pick<StreamReader<unknown>, 'cursor' | 'type'>,
  source: StreamSource,
): Promise<Body | number | undefined> {
  const response = await request(source, reader.cursor())
  if (!response) return 0
  const { status, ok, headers, body } = response
  if (status === 204) return undefined
  if (ok && body && headers.get('content-type')?.startsWith(reader.type)) return body
  if (status < 500 && !RETRY_STATUSES.has(status)) throw await readError(response)
  await body?.cancel()
  return Number(headers.get('retry-after')) * 1000 || 0
}

/** Undefined without a response. @throws the signal’s reason if it aborts */
async function request({ fetch, url, init, signal }: StreamSource, cursor: string | undefined) {
  const headers = new Headers(init.headers)
  if (cursor !== undefined) headers.set('last-event-id', cursor)
  const controller = new AbortController()
  const hangUp = (): void => controller.abort()
  const silence = setTimeout(hangUp, RESPONSE_TIMEOUT_MS)
  signal.addEventListener('abort', hangUp)
  try {
    signal.throwIfAborted()
    return await fetch(url, { ...init, headers, signal: controller.signal })
  } catch {
    signal.throwIfAborted()
    return undefined
  } finally {
    clearTimeout(silence)
    signal.removeEventListener('abort', hangUp)
  }
}

/**
 * The error of a run that cannot be read. Its `cause` has the HTTP status, and the server's error code if there is one.
 *
 * @example
 * const response = await fetch(`${url}/v1/runs/run_unknown/events`)
 * if (!response.ok) console.log((await readError(response)).message)
 */
export async function readError(response: Response): Promise<Error> {
  const { status, headers } = response
  // Other servers may answer without JSON.
  const body = (await response.json().catch(() => ({}))) as {
    readonly error?: string
    readonly code?: string
  }
  const words = body.error ?? `It was answered with ${headers.get('content-type') ?? 'nothing'}.`
  return new Error(`The run cannot be read on (${status}): ${words}`, { cause: { status, code: body.code } })
}

/**
 * Whether a stream has failed because the server's database was restored to an earlier point: the run has another log
 * now. Load the conversation again, and follow the run from its start.
 *
 * @example
 * try {
 *   for await (const { seq } of followRun(`${url}/v1/runs/${runId}/events`)) console.log(seq)
 * } catch (error) {
 *   if (isLogReplaced(error)) console.log('Load the conversation again.')
 * }
 */
export function isLogReplaced(error: unknown): boolean {
  const code = (error as { readonly cause?: { readonly code?: unknown } } | undefined)?.cause?.code
  return String(code).startsWith('cursor-')
}
