import { completeTexts, type Body } from './complete-texts.ts'
import { retryDelay } from './retry-delay.ts'

/** A line that has said nothing at all for so long is dead: a server begins to answer at once. */
const RESPONSE_TIMEOUT_MS = 37_500
/** What says nothing of the run below 500: too slow, too early, too often. */
const RETRY_STATUSES = new Set([408, 425, 429])

/**
 * Reads the bodies of several responses as the stream of one run.
 *
 * @example
 * const words: Reading<string> = {
 *   dialect: 'words',
 *   boundary: '\n\n',
 *   type: 'text/event-stream',
 *   cursor: () => undefined,
 *   take: (text) => dataLines(text),
 *   over: () => true,
 * }
 */
export interface StreamReader<T> {
  /** The protocol’s name. */
  readonly protocol: string
  /** What ends a piece that stands for itself. */
  readonly boundary: string
  /** What the content type of the bodies begins with. */
  readonly type: string
  /** The cursor of what was taken last: the next body is to begin after it. */
  cursor(): string | undefined
  /** Takes complete pieces of a body, and gives what is new in them. */
  take(text: string): readonly T[]
  /** A body is over, ended or cut: whether the run’s stream is too. */
  isEnded(): boolean
}

export type StreamSource = {
  readonly fetch: typeof fetch
  /** The run’s stream. */
  readonly url: string
  /** How it is asked for: headers, credentials. */
  readonly init: RequestInit
  /** Ends it. */
  readonly signal: AbortSignal
  readonly onConnection?: OnConnectionChange | undefined
}

/** Told `false` when the line is lost, and `true` when there is one again. */
export type OnConnectionChange = (isConnected: boolean) => void

/**
 * What a run’s stream tells, each thing once, over as many bodies as it takes. It ends only where the stream of the run does.
 * @throws Error where there is no more to be had, as {@link readError}; the signal’s reason where that aborts
 */
export async function* resumeStream<T>(
  first: Body | undefined,
  reader: StreamReader<T>,
  source: StreamSource,
): AsyncGenerator<T, void, undefined> {
  const { signal } = source
  const isConnected = notifyOnChange(source.onConnection)
  let body = first ?? (await reconnect(reader, source))
  // Bodies, and tries to get one, that have brought nothing new.
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

/** A line is up until it is lost: nobody need be told that. */
function notifyOnChange(listener: OnConnectionChange | undefined): OnConnectionChange {
  let known = true
  return (isConnected) => {
    if (isConnected !== known) listener?.(isConnected)
    known = isConnected
  }
}

async function* readNews<T>(
  body: Body,
  { boundary, take }: StreamReader<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  for await (const text of completeTexts(body, boundary, signal)) {
    for (const each of take(text)) {
      signal.throwIfAborted()
      yield each
    }
  }
}

/** What follows; nothing where all has come; where it is to be tried again, the ms to wait at least. */
async function reconnect<T>(
  reader: StreamReader<T>,
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

/** Nothing where nobody answers. @throws the signal’s reason where that aborts */
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
 * if (!response.ok) console.log((await refusal(response)).message)
 */
export async function readError(response: Response): Promise<Error> {
  const { status, headers } = response
  // What is no JSON is not ours.
  const body = (await response.json().catch(() => ({}))) as {
    readonly error?: string
    readonly code?: string
  }
  const words = body.error ?? `It was answered with ${headers.get('content-type') ?? 'nothing'}.`
  return new Error(`The run cannot be read on (${status}): ${words}`, { cause: { status, code: body.code } })
}
