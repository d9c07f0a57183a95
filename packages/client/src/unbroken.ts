import { completeTexts, type Body } from './complete-texts.ts'
import { pause } from './pause.ts'

/** A line that has said nothing at all for so long is dead: a server begins to answer at once. */
const ANSWER_MS = 37_500
/** What says nothing of the run below 500: too slow, too early, too often. */
const LATER = new Set([408, 425, 429])

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
export interface Reading<T> {
  /** The protocol’s name. */
  readonly dialect: string
  /** What ends a piece that stands for itself. */
  readonly boundary: string
  /** What the content type of the bodies begins with. */
  readonly type: string
  /** The cursor of what was taken last: the next body is to begin after it. */
  cursor(): string | undefined
  /** Takes complete pieces of a body, and gives what is new in them. */
  take(text: string): readonly T[]
  /** A body is over, ended or cut: whether the run’s stream is too. */
  over(): boolean
}

export type Line = {
  readonly fetch: typeof fetch
  /** The run’s stream. */
  readonly url: string
  /** How it is asked for: headers, credentials. */
  readonly init: RequestInit
  /** Ends it. */
  readonly signal: AbortSignal
  readonly onConnection?: OnConnection | undefined
}

/** Told `false` when the line is lost, and `true` when there is one again. */
export type OnConnection = (isConnected: boolean) => void

/**
 * What a run’s stream tells, each thing once, over as many bodies as it takes. It ends only where the stream of the run does.
 * @throws Error where there is no more to be had, as {@link refusal}; the signal’s reason where that aborts
 */
export async function* unbroken<T>(
  first: Body | undefined,
  reading: Reading<T>,
  line: Line,
): AsyncGenerator<T, void, undefined> {
  const { signal } = line
  const isConnected = changes(line.onConnection)
  let body = first ?? (await comeBack(reading, line))
  // Bodies, and tries to get one, that have brought nothing new.
  for (let idle = 0; body !== undefined; idle++) {
    const wait = typeof body === 'number' ? body : 0
    if (typeof body === 'object') {
      isConnected(true)
      for await (const each of newsOf(body, reading, signal)) {
        idle = 0
        yield each
      }
      if (reading.over()) return
      signal.throwIfAborted()
    }
    isConnected(false)
    await pause(idle, signal, wait)
    body = await comeBack(reading, line)
  }
}

/** A line is up until it is lost: nobody need be told that. */
function changes(told: OnConnection | undefined): OnConnection {
  let known = true
  return (isConnected) => {
    if (isConnected !== known) told?.(isConnected)
    known = isConnected
  }
}

async function* newsOf<T>(
  body: Body,
  { boundary, take }: Reading<T>,
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
async function comeBack<T>(reading: Reading<T>, line: Line): Promise<Body | number | undefined> {
  const response = await asked(line, reading.cursor())
  if (!response) return 0
  const { status, ok, headers, body } = response
  if (status === 204) return undefined
  if (ok && body && headers.get('content-type')?.startsWith(reading.type)) return body
  if (status < 500 && !LATER.has(status)) throw await refusal(response)
  await body?.cancel()
  return Number(headers.get('retry-after')) * 1000 || 0
}

/** Nothing where nobody answers. @throws the signal’s reason where that aborts */
async function asked({ fetch, url, init, signal }: Line, cursor: string | undefined) {
  const headers = new Headers(init.headers)
  if (cursor !== undefined) headers.set('last-event-id', cursor)
  const asking = new AbortController()
  const hangUp = (): void => asking.abort()
  const silence = setTimeout(hangUp, ANSWER_MS)
  signal.addEventListener('abort', hangUp)
  try {
    signal.throwIfAborted()
    return await fetch(url, { ...init, headers, signal: asking.signal })
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
export async function refusal(response: Response): Promise<Error> {
  const { status, headers } = response
  // What is no JSON is not ours.
  const said = (await response.json().catch(() => ({}))) as {
    readonly error?: string
    readonly code?: string
  }
  const words = said.error ?? `It was answered with ${headers.get('content-type') ?? 'nothing'}.`
  return new Error(`The run cannot be read on (${status}): ${words}`, { cause: { status, code: said.code } })
}
