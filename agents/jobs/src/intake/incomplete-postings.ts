import type { Kysely } from 'kysely'

import type { PagePosting } from '../pages/posting-page.ts'
import { enriched, type Row } from '../postings/draft.ts'
import { indexPosting } from '../postings/index-posting.ts'
import { updateRow } from '../postings/update-row.ts'
import type { Tables } from '../tables.ts'

/** A posting whose page is to be looked for. */
export type IncompletePosting = Pick<Row, 'id' | 'title' | 'url'>

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * The newest postings without a description that may be looked for: not those found gone, nor those that failed
 * within a day.
 */
export function lackingDescription(
  db: Kysely<Tables>,
  userId: string,
  { limit, now }: { readonly limit: number; readonly now: Date },
): Promise<IncompletePosting[]> {
  const yesterday = new Date(now.getTime() - DAY_MS).toISOString()
  return db
    .selectFrom('jobs')
    .select(['id', 'title', 'url'])
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('description', 'is', null), eb('description', '=', '')]))
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('enrich_error', 'is', null), eb('enriched_at', '<', yesterday)]))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Whose posting, and when it was looked for. */
export type Looked = { readonly userId: string; readonly id: number; readonly at: string }

/**
 * Fills in what a posting lacks; what it says already stays. Says whether there was anything. Nothing, if it is gone
 * meanwhile.
 */
export async function fill(
  db: Kysely<Tables>,
  { userId, id, at }: Looked,
  page: PagePosting,
): Promise<boolean> {
  const gained = await db.transaction().execute(async (trx) => {
    const mine = trx.selectFrom('jobs').selectAll().where('user_id', '=', userId)
    const row = await mine.where('id', '=', id).executeTakeFirst()
    if (!row) return false
    const description = row.description || page.description
    const isNews = await updateRow(trx, row, { ...enriched(row, page), description }, at)
    await trx
      .updateTable('jobs')
      .set({ closed_at: null, enriched_at: at, enrich_error: null })
      .where('id', '=', id)
      .execute()
    return isNews
  })
  if (gained) await indexPosting(db, id)
  return gained
}

/** Notes why a posting could not be read; `closed`: that it is gone. */
export async function noteFailure(
  db: Kysely<Tables>,
  { userId, id, at }: Looked,
  { reason, closed }: { readonly reason: string; readonly closed: boolean },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ enriched_at: at, enrich_error: reason, ...(closed && { closed_at: at }) })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}
