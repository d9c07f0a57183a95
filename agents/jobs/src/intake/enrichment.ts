import { z } from 'zod'

import type { Database } from 'dragoman/database'
import { clock, type Clock } from '../clock.ts'
import { ownPosting } from '../postings/own-posting.ts'
import type { Tables } from '../tables.ts'
import type { Finder, Finding } from './find-posting.ts'
import { fill, lackingDescription, noteFailure, type IncompletePosting } from './incomplete-postings.ts'
import { isLike } from './titles.ts'

const MAX_TITLE_LENGTH = 100

/** What came of it. Every posting that was looked at counts once as enriched or skipped, or stands among the errors. */
export const enrichedShape = z
  .object({
    processed: z.int().describe('How many postings were looked at.'),
    enriched: z.int().describe('How many of them know more now.'),
    skipped: z
      .int()
      .describe('How many were not fetched, for a browser alone can read them, or said nothing new.'),
    errors: z
      .array(z.object({ jobId: z.int(), error: z.string() }))
      .describe(
        'Why each of the others could not be read, and what to do about those that only a browser can read.',
      ),
  })
  .readonly()
  .meta({
    examples: [
      {
        processed: 2,
        enriched: 1,
        skipped: 0,
        errors: [{ jobId: 7, error: 'The page is gone (404).' }],
      },
    ],
  })
export type Enriched = z.infer<typeof enrichedShape>

export type EnrichRequest = { readonly limit: number; readonly jobId?: number | undefined }

/** How far it has come. `posting`: which was the last, and why it knows no more, if so. */
export type Progress = Enriched & {
  readonly total: number
  readonly posting: { readonly id: number; readonly title: string; readonly error?: string }
}

export type Telling = { readonly signal: AbortSignal; readonly tell: (progress: Progress) => void }

/** Looks for what postings lack. */
export interface Enrichment {
  /**
   * One after the other; each is kept at once, so that what is done stays done. A posting that is named is looked for
   * whatever it has, and however lately it failed. @throws ServiceError `not-found` for a named one that is not the
   * user's; the signal's reason
   */
  run(userId: string, request: EnrichRequest, telling: Telling): Promise<Enriched>
  /** @throws ServiceError `not-found` as `run` does before it begins */
  ready(userId: string, request: EnrichRequest): Promise<void>
}

/** Looks for them outside, with a finder. */
export function enrichment(database: Database, finder: Finder, now: Clock['now'] = clock.now): Enrichment {
  const db = database.withTables<Tables>()

  const look = async (userId: string, posting: IncompletePosting, signal: AbortSignal): Promise<Outcome> => {
    const finding = checked(posting, await finder.find(new URL(posting.url), signal))
    const looked = { userId, id: posting.id, at: now().toISOString() }
    if (finding.kind === 'found') {
      return { counts: (await fill(db, looked, finding.page)) ? 'enriched' : 'skipped' }
    }
    const { kind, reason } = finding
    await noteFailure(db, looked, { reason, closed: kind === 'gone' })
    return { counts: kind === 'barred' ? 'skipped' : 'error', error: reason }
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
      let done: Enriched = { processed: 0, enriched: 0, skipped: 0, errors: [] }
      for (const posting of postings) {
        const outcome = await look(userId, posting, signal)
        done = countOutcome(done, posting.id, outcome)
        const { id, title } = posting
        const { error } = outcome
        tell({
          ...done,
          total: postings.length,
          posting: { id, title, ...(error !== undefined && { error }) },
        })
      }
      return done
    },
  }
}

/** What looking for one counts as, and why it knows no more. */
type Outcome = { readonly counts: 'enriched' | 'skipped' | 'error'; readonly error?: string }

function countOutcome(done: Enriched, jobId: number, { counts, error }: Outcome): Enriched {
  return {
    processed: done.processed + 1,
    enriched: done.enriched + (counts === 'enriched' ? 1 : 0),
    skipped: done.skipped + (counts === 'skipped' ? 1 : 0),
    errors: error === undefined ? done.errors : [...done.errors, { jobId, error }],
  }
}

/** Once a posting is gone, its address often leads to a list of others, or to another one. */
function checked({ title }: IncompletePosting, finding: Finding): Finding {
  if (finding.kind !== 'found' || !finding.movedTo || isLike(title, finding.page.title)) return finding
  return {
    kind: 'failed',
    reason: `The address leads to another page now: “${finding.page.title.slice(0, MAX_TITLE_LENGTH)}”.`,
  }
}
