import type { SafeFetch } from 'dragoman/safe-fetch'
import type { PagePosting } from '../pages/posting-page.ts'

/** The public boards that can be read without a key. */
export const boardKinds = [
  'greenhouse',
  'lever',
  'ashby',
  'workable',
  'smartrecruiters',
  'recruitee',
] as const
export type BoardKind = (typeof boardKinds)[number]

/** What reading a board needs of its surroundings. */
export type World = { readonly outward: SafeFetch; readonly signal: AbortSignal }

/** A posting as its board tells it: `id` is the board's own. */
export type BoardPosting = PagePosting & { readonly id: string; readonly url: URL }

/** Which posting of which company an address means. */
export type PostingAddress = { readonly slug: string; readonly id: string }

/**
 * A kind of public board. A company's own board on it is named by a slug: `acme`, and `eu:acme` on Lever's European
 * one.
 */
export interface Board {
  readonly kind: BoardKind
  /** As people call it. */
  readonly name: string
  /** Whose board an address belongs to; nothing if it is no address of this kind. */
  slugOf(url: URL): string | undefined
  /** Which posting an address means. */
  postingOf(url: URL): PostingAddress | undefined
  /** Whether its lists tell no descriptions: only `posting` gives them. */
  readonly brief: boolean
  /** Whether a text can be a slug here. */
  isSlug(text: string): boolean
  /**
   * All open postings of a company. In a brief list their descriptions are '', and so are those of postings whose ids
   * are `known`.
   * @throws ServiceError `not-found` for a board that does not exist, `rate-limited`, `unavailable`, `timed-out`
   */
  postings(world: World, slug: string, known?: ReadonlySet<string>): AsyncIterable<BoardPosting>
  /** @throws ServiceError `not-found` for a posting that is not open, and the rest as above */
  posting(world: World, slug: string, id: string): Promise<BoardPosting>
}
