import type { Kysely } from 'kysely'

import type { Tables } from '../tables.ts'
import { LOCAL_OWNER, type Configured } from './configured.ts'
import { columns, fresh } from './source-row.ts'
import { identityOf } from './source.ts'

/** Brings what config.yaml names into the rows. What it no longer names goes; the postings stay. */
export async function settle(
  db: Kysely<Tables>,
  configured: readonly Configured[],
  now: Date,
): Promise<void> {
  const named = configured.map(({ settings }) => identityOf(settings))
  await db.transaction().execute(async (trx) => {
    const old = trx.deleteFrom('job_sources').where('user_id', '=', LOCAL_OWNER).where('configured', '=', 1)
    await (named.length > 0 ? old.where('identity', 'not in', named) : old).execute()
    for (const source of configured) {
      const { due_at, ...changing } = columns({ ...source, secret: null }, now)
      const names = await trx
        .selectFrom('job_sources')
        .select(['schedule', 'due_at'])
        .where('user_id', '=', LOCAL_OWNER)
        .where('identity', '=', changing.identity)
        .executeTakeFirst()
      // A run that was missed while nothing ran stays due.
      const due = names?.schedule === changing.schedule ? names.due_at : due_at
      await trx
        .insertInto('job_sources')
        .values({ ...changing, due_at, user_id: LOCAL_OWNER, configured: 1, ...fresh(now) })
        .onConflict((same) =>
          same.columns(['user_id', 'identity']).doUpdateSet({ ...changing, due_at: due, configured: 1 }),
        )
        .execute()
    }
  })
}
