import type { Json } from 'dragoman/events'
import type { PagePosting } from '../pages/posting-page.ts'

/** A posting that a source names. */
export type FoundPosting = {
  /** The source's own name for it, the same each time. */
  readonly key: string
  readonly posting: PagePosting & { readonly url: URL }
  /** Of the mail that names it. */
  readonly subject?: string
  readonly sender?: string
}

/** What comes from a source at once. Where there is a `state`, the source has been read so far. */
export type Batch = { readonly findings: readonly FoundPosting[]; readonly state?: Json }
