import type { Kysely } from 'kysely'

import type { PagePosting } from '../pages/posting-page.ts'
import { enriched, type Row } from '../postings/posting-columns.ts'
import { indexPosting } from '../postings/index-posting.ts'
import { updateRow } from '../postings/update-row.ts'
import type { Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'

/** A posting whose page is to be read. */
export type IncompletePosting = Pick<Row, 'id' | 'title' | 'url'>

const DAY_MS = 24 * 60 * 60 * 1000

/** The newest postings without a description, except closed ones and those that failed within a day. */
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

/** A posting of a user, and the time of the attempt. */
export type Attempt = { readonly userId: string; readonly id: number; readonly at: string }

/** Fills the missing fields of a posting. @returns whether there were any */
export async function fill(
  db: Kysely<Tables>,
  { userId, id, at }: Attempt,
  page: PagePosting,
): Promise<boolean> {
  const isNews = await userTransaction(db, userId, async (trx) => {
    const mine = trx.selectFrom('jobs').selectAll().where('user_id', '=', userId)
    const row = await mine.where('id', '=', id).executeTakeFirst()
    if (!row) return false
    const description = row.description || page.description
    const isUpdated = await updateRow(trx, row, { ...enriched(row, page), description }, at)
    await trx
      .updateTable('jobs')
      .set({ closed_at: null, enriched_at: at, enrich_error: null })
      .where('id', '=', id)
      .execute()
    return isUpdated
  })
  if (isNews) await indexPosting(db, id)
  return isNews
}

/** Stores why a posting could not be read. `closed`: it no longer exists. */
export async function noteFailure(
  db: Kysely<Tables>,
  { userId, id, at }: Attempt,
  { reason, closed }: { readonly reason: string; readonly closed: boolean },
): Promise<void> {
  await db
    .updateTable('jobs')
    .set({ enriched_at: at, enrich_error: reason, ...(closed && { closed_at: at }) })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}
