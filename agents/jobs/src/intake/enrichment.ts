import { z } from 'zod'

import type { AgentStorage } from 'dragoman/agents'
import type { Database } from 'dragoman/database'
import { clock, type Clock } from '../clock.ts'
import { ownPosting } from '../postings/own-posting.ts'
import type { Tables } from '../tables.ts'
import type { PostingFetcher, PostingFetchResult } from './posting-fetcher.ts'
import { fill, lackingDescription, noteFailure, type IncompletePosting } from './incomplete-postings.ts'
import { isSimilarTitle } from './is-similar-title.ts'

const MAX_TITLE_LENGTH = 100

/** The result. Each processed posting is enriched, skipped, or among the errors. */
export const enrichedShape = z
  .object({
    processed: z.int().describe('The postings whose pages were read.'),
    enriched: z.int().describe('The postings with new fields.'),
    skipped: z.int().describe('The postings that only browsers can read, or with nothing new.'),
    errors: z
      .array(z.object({ jobId: z.int(), error: z.string() }))
      .describe('The reasons why postings could not be read, and what to do.'),
  })
  .readonly()
  .meta({
    examples: [
      { processed: 2, enriched: 1, skipped: 0, errors: [{ jobId: 7, error: 'The page is gone (404).' }] },
    ],
  })
export type Enriched = z.infer<typeof enrichedShape>

export type EnrichRequest = { readonly limit: number; readonly jobId?: number | undefined }

/** The result so far, and the posting that was read last, with the reason if it has no new fields. */
export type Progress = Enriched & {
  readonly total: number
  readonly posting: { readonly id: number; readonly title: string; readonly error?: string }
}

export type ProgressListener = { readonly signal: AbortSignal; readonly tell: (progress: Progress) => void }

/** Completes postings from their pages. */
export interface Enrichment {
  /**
   * Reads postings one after the other, and stores each result at once. A posting that is named is read whatever its
   * fields and its last failure. @throws ServiceError `not-found` for a named one of another user; the signal's reason
   */
  run(userId: string, request: EnrichRequest, listener: ProgressListener): Promise<Enriched>
  /** @throws ServiceError `not-found`, as `run` does, before anything is read */
  ready(userId: string, request: EnrichRequest): Promise<void>
}

/** `error` is the reason why a posting has no new fields. */
type Outcome = { readonly isEnriched: boolean; readonly isSkipped: boolean; readonly error?: string }

export function enrichment(
  database: Database,
  finder: PostingFetcher,
  { grow, now = clock.now }: { readonly grow: AgentStorage['grow']; readonly now?: Clock['now'] },
): Enrichment {
  const db = database.withTables<Tables>()

  const enrich = async (
    userId: string,
    posting: IncompletePosting,
    signal: AbortSignal,
  ): Promise<Outcome> => {
    const finding = rejectOther(posting, await finder.find(userId, new URL(posting.url), signal))
    const attempt = { userId, id: posting.id, at: now().toISOString() }
    if (finding.kind === 'found') {
      const bytes = Buffer.byteLength(finding.page.description)
      const isEnriched = await grow(userId, 2 * bytes, () => fill(db, attempt, finding.page))
      return { isEnriched, isSkipped: !isEnriched }
    }
    const { kind, reason } = finding
    await noteFailure(db, attempt, { reason, closed: kind === 'gone' })
    return { isEnriched: false, isSkipped: kind === 'barred', error: reason }
  }

  return {
    async ready(userId, { jobId }) {
      if (jobId !== undefined) await ownPosting(db, userId, jobId)
    },

    async run(userId, { limit, jobId }, { signal, tell }) {
      signal.throwIfAborted()
      const postings =
        jobId === undefined
          ? await lackingDescription(db, userId, { limit, now: now() })
          : [await ownPosting(db, userId, jobId)]
      const total = postings.length
      let done: Enriched = { processed: 0, enriched: 0, skipped: 0, errors: [] }
      for (const posting of postings) {
        const { isEnriched, isSkipped, error } = await enrich(userId, posting, signal)
        const { id, title } = posting
        done = {
          processed: done.processed + 1,
          enriched: done.enriched + Number(isEnriched),
          skipped: done.skipped + Number(isSkipped),
          errors: error === undefined ? done.errors : [...done.errors, { jobId: id, error }],
        }
        tell({ ...done, total, posting: { id, title, ...(error !== undefined && { error }) } })
      }
      return done
    },
  }
}

/** The URL of a closed posting often leads to a list, or to another posting. */
function rejectOther({ title }: IncompletePosting, finding: PostingFetchResult): PostingFetchResult {
  if (finding.kind !== 'found' || !finding.movedTo || isSimilarTitle(title, finding.page.title))
    return finding
  return {
    kind: 'failed',
    reason: `The address leads to another page now: “${finding.page.title.slice(0, MAX_TITLE_LENGTH)}”.`,
    code: 'not-found',
  }
}
