import { afterEach, beforeEach, vi } from 'vitest'

import { resumableFetch, type ResumableOptions } from './resumable-fetch.ts'

const utf8 = new TextEncoder()
export const UI = {
  'content-type': 'text/event-stream',
  'x-vercel-ai-ui-message-stream': 'v1',
  'x-run-id': 'run_1',
}

/** How a body ends after its text. */
type End = 'ends' | 'breaks' | 'is silent'

export function streamResponse(words: string, end: End): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (words !== '') controller.enqueue(utf8.encode(words))
      if (end === 'ends') controller.close()
    },
    pull(controller) {
      if (end === 'breaks') controller.error(new TypeError('terminated'))
    },
  })
  return new Response(body, { headers: UI })
}

export const event = (id: number, data = `"${id}"`): string => `id: ${id}\ndata: ${data}\n\n`
export const REST = event(9, '[DONE]')

type Call = { readonly at: number; readonly url: string; readonly init: RequestInit & { headers: Headers } }

/** A `fetch` that returns one scripted answer per request, and the recorded calls. */
export function scriptedFetch(...answers: readonly (Response | Error | 'never')[]) {
  const calls: Call[] = []
  const began = Date.now()
  const fetch = async (url: unknown, init: RequestInit = {}): Promise<Response> => {
    const answer = answers[calls.length]
    calls.push({ at: Date.now() - began, url: String(url), init: init as Call['init'] })
    if (answer instanceof Response) return answer
    if (answer !== 'never') throw answer ?? new Error('Nobody expected this request.')
    return new Promise((_, reject) => {
      init.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error))
    })
  }
  return { calls, fetch: fetch as typeof globalThis.fetch }
}

/** Reads a chat’s answer with that `fetch` to its end. */
export async function read(
  line: { fetch: typeof fetch },
  init: RequestInit = {},
  options: ResumableOptions = {},
) {
  const answer = await resumableFetch({ ...options, ...line })('/dice/chat', {
    method: 'POST',
    body: '{}',
    ...init,
  })
  return answer.text()
}

/** Fake timers that fire at once and in order, and an even random number. */
export function useFastTimers(): void {
  beforeEach(() => {
    // Only what is waited for here: other timers of the process go on.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
}

/** Longer than all waits of a test together. */
const LONG_MS = 3_600_000

/** Lets an hour pass. Timers that others in the process start over and over do not make it longer. */
export const letAllTimePass = (): Promise<unknown> => vi.advanceTimersByTimeAsync(LONG_MS)

/** Lets all time pass that the promise waits for. */
export async function runTimers<T>(doing: Promise<T>): Promise<T> {
  const result = doing.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error
    },
  )
  await letAllTimePass()
  return (await result)()
}
