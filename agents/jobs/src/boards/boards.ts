import { setTimeout as pause } from 'node:timers/promises'

import { createIsolatedWorker } from 'dragoman/isolate'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { ServiceError } from 'dragoman/errors'
import type { FetchResult, SafeFetch } from 'dragoman/safe-fetch'
import type { PagePosting } from '../pages/posting-page.ts'
import { boardKinds, type BoardFormat, type BoardKind } from './board-format.ts'
import { boardFormats } from './board-formats.ts'
import type { AnswerPart, AnswerRequest } from './board-worker.ts'

export { boardKinds, type BoardKind } from './board-format.ts'

/** What reading a board needs of its surroundings. */
export type BoardPorts = {
  readonly outward: SafeFetch
  /** Users take turns. */
  readonly userId: string
  readonly signal: AbortSignal
}

/** A posting as its board states it: `id` is the board's own. */
export type BoardPosting = PagePosting & { readonly id: string; readonly url: URL }

/** A kind of public board. A slug names a company's own board: `acme`, or `eu:acme` on Lever's European host. */
export interface Board extends Pick<BoardFormat, 'kind' | 'name' | 'isBrief'> {
  /** Whether a text can be a slug here. */
  isSlug(text: string): boolean
  /**
   * All open postings of a company. Descriptions are '' in a brief list, and for postings whose ids are `known`.
   * @throws ServiceError `not-found` for a board that does not exist, `rate-limited`, `unavailable`, `timed-out`
   */
  postings(ports: BoardPorts, slug: string, known?: ReadonlySet<string>): AsyncIterable<BoardPosting>
  /** @throws ServiceError `not-found` for a posting that is not open, and the errors of `postings` */
  posting(ports: BoardPorts, slug: string, id: string): Promise<BoardPosting>
}

/** All boards that can be read. */
export const boards: readonly Board[] = boardKinds.map((kind) => createBoard(boardFormats[kind]))

/** @returns the board of a kind */
export function boardFor(kind: BoardKind): Board {
  const found = boards.find((board) => board.kind === kind)
  if (!found) throw new Error(`There is no board ${kind}.`)
  return found
}

/** The company's board that a URL belongs to, and the posting's id if the URL has one. */
export function boardOf(
  url: URL,
): { readonly board: Board; readonly slug: string; readonly id: string | undefined } | undefined {
  for (const board of boards) {
    const { slug, id } = boardFormats[board.kind].locate(url)
    if (slug !== undefined && board.isSlug(slug)) return { board, slug, id }
  }
  return undefined
}

/** The posting on a board that a URL shows, if any. */
export function boardPosting(
  url: URL,
): { readonly board: Board; readonly slug: string; readonly id: string } | undefined {
  const { board, slug, id } = boardOf(url) ?? {}
  return board && slug !== undefined && id !== undefined ? { board, slug, id } : undefined
}

/** A large board of Ashby takes ten seconds. */
const FETCH_TIMEOUT_MS = 60_000
const MAX_ANSWER_BYTES = 40_000_000
/** A board that asks for a longer pause is given up. */
const MAX_PAUSE_SECONDS = 30
const USUAL_PAUSE_SECONDS = 5
const MAX_TRIES = 3
/** In a URL these lead to another path. */
const DOTS = /^(?:eu:)?\.{1,2}$/

const readAnswer = createIsolatedWorker<AnswerRequest, AnswerPart | null>({
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

function createBoard({ kind, name, isBrief = false, slugPattern, listUrl, postingUrl }: BoardFormat): Board {
  const read = async (userId: string, request: Omit<AnswerRequest, 'kind'>): Promise<AnswerPart> => {
    const part = await readAnswer(userId, { kind, ...request })
    if (!part) throw new ServiceError('unavailable', `${name} answered with something that is no JSON.`)
    return part
  }
  return {
    kind,
    name,
    isBrief,
    isSlug: (text) => slugPattern.test(text) && !DOTS.test(text),

    async *postings(ports, slug, known = new Set()) {
      const notFound = `${name} knows no board “${toSingleLine(slug, 100)}”.`
      for (let offset: number | null = 0; offset !== null;) {
        const text = await fetchAnswer(ports, name, listUrl(slug, offset), notFound)
        let part: AnswerPart
        let from = 0
        do {
          ports.signal.throwIfAborted()
          part = await read(ports.userId, { slug, text, known, from })
          yield* part.postings.map(toBoardPosting)
          from += part.postings.length
        } while (part.hasMore)
        offset = part.nextOffset
      }
    },

    async posting(ports, slug, id) {
      const notFound = `${name} has no open posting ${toSingleLine(id, 100)} of “${toSingleLine(slug, 100)}”.`
      const url = postingUrl?.({ slug, id }) ?? listUrl(slug, 0)
      const text = await fetchAnswer(ports, name, url, notFound)
      const { postings } = await read(ports.userId, { slug, id, text })
      const [found] = postings
      if (!found) throw new ServiceError('not-found', notFound)
      return toBoardPosting(found)
    },
  }
}

function toBoardPosting(posting: AnswerPart['postings'][number]): BoardPosting {
  return { ...posting, url: new URL(posting.url), source: 'web' }
}

/** Fetches an answer. A board that asks for a pause is asked again after it. */
async function fetchAnswer(
  { outward, userId, signal }: BoardPorts,
  name: string,
  url: string,
  notFound: string,
): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const found = await outward.get(new URL(url), {
      userId,
      signal,
      accept: 'application/json',
      maxBytes: MAX_ANSWER_BYTES,
      timeoutMs: FETCH_TIMEOUT_MS,
    })
    if (found.status === 200) return found.text
    if (found.status === 404 || found.status === 410) throw new ServiceError('not-found', notFound)
    if (found.status !== 429) {
      throw new ServiceError('unavailable', `${name} answered with status ${found.status}.`)
    }
    const seconds = retryAfterOf(found)
    if (tries === MAX_TRIES || seconds > MAX_PAUSE_SECONDS) {
      throw new ServiceError('rate-limited', `${name} gets too many requests. Try again later.`, {
        retryAfter: Math.max(1, seconds),
      })
    }
    await pause(seconds * 1000, undefined, { signal })
  }
}

/** The pause that a header asks for, in seconds: it states them, or a date. */
function retryAfterOf({ headers }: FetchResult): number {
  const text = headers['retry-after'] ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1000
  return Number.isNaN(seconds) ? USUAL_PAUSE_SECONDS : Math.max(0, Math.ceil(seconds))
}
