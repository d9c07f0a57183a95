import { sql, type Kysely, type RawBuilder } from 'kysely'

import { jsonStrings, type Database } from 'dragoman/database'
import type { Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import type { Source } from './source.ts'

/** What names a posting, and where it was named. */
export type Sighting = {
  /** The source's own name for it. */
  readonly key: string
  readonly jobId: number
  readonly at: Date
  readonly subject?: string | undefined
  readonly sender?: string | undefined
}

/** Which source has named which posting. */
export interface Sightings {
  /** The keys that a source has named before, also those whose posting its user has deleted. */
  known(source: Source): Promise<Set<string>>
  note(source: Source, sighting: Sighting): Promise<void>
  /** These are still there: their postings are open, and were seen. */
  seenAgain(source: Source, keys: readonly string[], at: Date): Promise<void>
  /** What a source has named before this moment, and not since, is gone. @returns how many postings that closes */
  closeUnseen(source: Source, since: Date): Promise<number>
}

/** Keeps sightings in the database. */
export function sightings(database: Database): Sightings {
  const db = database.withTables<Tables>()
  return {
    async known({ id }) {
      const rows = await db.selectFrom('job_sightings').select('key').where('source_id', '=', id).execute()
      return new Set(rows.map(({ key }) => key))
    },

    async note({ id }, { key, jobId, at, subject = null, sender = null }) {
      const seen_at = at.toISOString()
      await db
        .insertInto('job_sightings')
        .values({ source_id: id, key, job_id: jobId, seen_at, subject, sender })
        .onConflict((same) => same.columns(['source_id', 'key']).doUpdateSet({ seen_at }))
        .execute()
    },

    async seenAgain({ id, userId }, keys, at) {
      if (keys.length === 0) return
      const now = at.toISOString()
      await userTransaction(db, userId, async (trx) => {
        await trx
          .updateTable('job_sightings')
          .set({ seen_at: now })
          .where('source_id', '=', id)
          .where('key', 'in', jsonStrings(trx, keys))
          .execute()
        await trx
          .updateTable('jobs')
          .set({
            last_seen_at: sql<string>`CASE WHEN last_seen_at < ${now} THEN ${now} ELSE last_seen_at END`,
            closed_at: null,
          })
          .where('user_id', '=', userId)
          .where('id', 'in', updateSeenAt(trx, id, sql`= ${now}`))
          .execute()
      })
    },

    async closeUnseen({ id, userId }, since) {
      const at = since.toISOString()
      const { numUpdatedRows } = await userTransaction(db, userId, (trx) =>
        trx
          .updateTable('jobs')
          .set({ closed_at: at })
          .where('user_id', '=', userId)
          .where('closed_at', 'is', null)
          .where('id', 'in', updateSeenAt(trx, id, sql`< ${at}`))
          .executeTakeFirstOrThrow(),
      )
      return Number(numUpdatedRows)
    },
  }
}

/** The postings that a source has last named at such a time. */
function updateSeenAt(db: Kysely<Tables>, sourceId: number, when: RawBuilder<unknown>) {
  return db
    .selectFrom('job_sightings')
    .select(sql<number>`job_id`.as('job_id'))
    .where('source_id', '=', sourceId)
    .where(sql<boolean>`seen_at ${when}`)
    .where('job_id', 'is not', null)
}
