import { serveWorker } from 'dragoman/isolate'
import { toMarkdown } from '@dragoman/agent-kit/pages/to-markdown'
import { parseJson } from 'dragoman/events'
import type { DataPosting } from '../pages/json-ld.ts'
import { readAnswer, type BoardKind, type RawPosting } from './board-format.ts'
import { boardFormats } from './board-formats.ts'

/** Reads boards' answers in a thread: a board is megabytes of JSON with HTML in it. */

export type AnswerRequest = {
  readonly kind: BoardKind
  readonly slug: string
  readonly text: string
  /** Reads only the posting with this id. */
  readonly id?: string
  /** The number of postings that were read already. */
  readonly from?: number
  /** Ids of postings whose descriptions are not needed. */
  readonly known?: ReadonlySet<string>
}

/** Some of the postings in an answer. */
export type AnswerPart = {
  readonly postings: readonly (DataPosting & { readonly id: string; readonly url: string })[]
  readonly hasMore: boolean
  /** The offset of the list's next page. */
  readonly nextOffset: number | null
}

/** Converting this many descriptions takes a second or two; transferring them takes milliseconds. */
const PART_SIZE = 100

serveWorker<AnswerRequest, AnswerPart | null>(({ kind, slug, text, id, from = 0, known = new Set() }) => {
  const answer = parseJson(text)
  if (answer === undefined) return null
  const format = boardFormats[kind]
  const found = readAnswer(format, answer, slug).filter((posting) => id === undefined || posting.id === id)
  const postings = found.slice(from, from + PART_SIZE).map((posting) => withMarkdown(posting, known))
  const nextOffset = format.nextOffset?.(answer) ?? null
  return { postings, hasMore: found.length > from + PART_SIZE, nextOffset }
})

function withMarkdown(
  { html, ...posting }: RawPosting,
  knownIds: ReadonlySet<string>,
): AnswerPart['postings'][number] {
  return { ...posting, description: knownIds.has(posting.id) ? '' : toMarkdown(html) }
}
