import { setTimeout as pause } from 'node:timers/promises'

import { ServiceError } from 'dragoman/errors'
import type { FetchResult } from 'dragoman/safe-fetch'
import { createIsolatedWorker } from '@dragoman/agent-kit/isolate/isolated-worker'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import type { AnswerRequest, Reading } from './board-worker.ts'
import type { Board, BoardPosting, World } from './board.ts'
import type { BoardFormat } from './format.ts'

/** Ashby takes ten seconds for a large board. */
const WITHIN_MS = 60_000
const MAX_BYTES = 40_000_000
/** Who asks for more patience is given up. In seconds. */
const MAX_PAUSE_SECONDS = 30
const MAX_TRIES = 3
/** In an address these lead to another place of the board's. */
const DOTS = /^(?:eu:)?\.{1,2}$/

const readAnswer = createIsolatedWorker<AnswerRequest, Reading | null>({
  module: new URL('./board-worker', import.meta.url),
  sizeOf: ({ text }) => text.length,
  limits: { waiting: 32, weight: 100_000_000, megabytes: 1024 },
  timeoutMs: 60_000,
  refusals: {
    busy: 'Too many boards are waiting to be read.',
    slow: () => new ServiceError('timed-out', "The board's answer takes too long to read."),
    large: () => new ServiceError('too-large', "The board's answer takes too much memory to read."),
  },
})

/** Makes a board of what is known of its answers. */
export function boardOfFormat(format: BoardFormat): Board {
  const { kind, name, slugOf, postingOf, slug: slugs, listAt, postingAt, brief = false } = format
  return {
    kind,
    name,
    slugOf,
    postingOf,
    brief,
    isSlug: (text) => slugs.test(text) && !DOTS.test(text),
    async *postings(world, slug, storedIds) {
      const unknown = `${name} knows no board “${toSingleLine(slug, 100)}”.`
      for (let offset: number | null = 0; offset !== null;) {
        const text = await answer(world, name, listAt(slug, offset), unknown)
        offset = yield* allOf(
          name,
          { kind, slug, text, ...(storedIds && { known: storedIds }) },
          world.signal,
        )
      }
    },
    async posting(world, slug, id) {
      const message = `${name} has no open posting ${toSingleLine(id, 100)} of “${toSingleLine(slug, 100)}”.`
      const at = postingAt?.({ slug, id }) ?? listAt(slug, 0)
      const { postings } = await askWorker(name, {
        kind,
        slug,
        id,
        text: await answer(world, name, at, message),
      })
      const [found] = postings
      if (!found) throw new ServiceError('not-found', message)
      return boardPosting(found)
    },
  }
}

/** All postings in an answer. @returns the offset of the list's next page */
async function* allOf(
  name: string,
  request: AnswerRequest,
  signal: AbortSignal,
): AsyncGenerator<BoardPosting, number | null> {
  for (let from = 0; ;) {
    signal.throwIfAborted()
    const { postings, more, next } = await askWorker(name, { ...request, from })
    yield* postings.map(boardPosting)
    if (!more) return next
    from += postings.length
  }
}

function boardPosting(read: Reading['postings'][number]): BoardPosting {
  return { ...read, url: new URL(read.url), source: 'web' }
}

async function askWorker(name: string, request: AnswerRequest): Promise<Reading> {
  const reading = await readAnswer(request)
  if (!reading) throw new ServiceError('unavailable', `${name} answered with something that is no JSON.`)
  return reading
}

/** Asks a board, and once more where it asks for patience. */
async function answer({ outward, signal }: World, name: string, url: URL, unknown: string): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const found = await outward.get(url, {
      signal,
      accept: 'application/json',
      maxBytes: MAX_BYTES,
      timeoutMs: WITHIN_MS,
    })
    if (found.status === 200) return found.text
    if (found.status === 404 || found.status === 410) throw new ServiceError('not-found', unknown)
    if (found.status !== 429) {
      throw new ServiceError('unavailable', `${name} answered with status ${found.status}.`)
    }
    const seconds = patience(found)
    if (tries === MAX_TRIES || seconds > MAX_PAUSE_SECONDS) throw impatient(name, seconds)
    await pause(seconds * 1000, undefined, { signal })
  }
}

/** Seconds, from a header that gives them or a date. */
function patience({ headers }: FetchResult): number {
  const retryAfter = headers['retry-after'] ?? ''
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000
  return Number.isNaN(seconds) ? 5 : Math.max(0, Math.ceil(seconds))
}

function impatient(name: string, seconds: number): ServiceError {
  return new ServiceError('rate-limited', `${name} gets too many requests. Try again later.`, {
    retryAfter: Math.max(1, seconds),
  })
}
