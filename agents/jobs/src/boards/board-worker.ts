import { parseJson } from 'dragoman/events'
import { serveWorker } from '@dragoman/agent-kit/isolate/isolated-worker'
import type { DataPosting } from '../pages/json-ld.ts'
import { toMarkdown } from '@dragoman/agent-kit/pages/to-markdown'
import type { BoardKind } from './board.ts'
import type { RawPosting } from './format.ts'
import { formats } from './formats.ts'

/** The thread on which boards' answers are read: a whole board is megabytes of JSON and of HTML in it. */

export type AnswerRequest = {
  readonly kind: BoardKind
  readonly slug: string
  readonly text: string
  /** Only the posting with this id, whatever else the answer holds. */
  readonly id?: string
  /** How many of its postings have been given already. */
  readonly from?: number
  /** Postings whose text nobody needs. */
  readonly known?: ReadonlySet<string>
}

/** Some of what an answer told. */
export type Reading = {
  readonly postings: readonly (DataPosting & { readonly id: string; readonly url: string })[]
  /** Whether it told more postings than these. */
  readonly more: boolean
  /** The offset of the list's next page. */
  readonly next: number | null
}

/** To turn so many texts into Markdown takes a second or two, and to hand them over a few milliseconds. */
const AT_ONCE = 100

serveWorker<AnswerRequest, Reading | null>(({ kind, slug, text, id, from = 0, known = new Set() }) => {
  const answer = parseJson(text)
  if (answer === undefined) return null
  const { read, nextOf } = formats[kind]
  const found = read(answer, slug).filter((posting) => id === undefined || posting.id === id)
  const postings = found.slice(from, from + AT_ONCE).map((posting) => inMarkdown(posting, known))
  return { postings, more: found.length > from + AT_ONCE, next: nextOf?.(answer) ?? null }
})

function inMarkdown(
  { html, ...posting }: RawPosting,
  storedIds: ReadonlySet<string>,
): Reading['postings'][number] {
  return { ...posting, description: storedIds.has(posting.id) ? '' : toMarkdown(html) }
}
