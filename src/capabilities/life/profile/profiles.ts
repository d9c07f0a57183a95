import type { Kysely } from 'kysely'

import type { Database } from '../../../db/index.ts'
import type { LifeTables, ProfileRow } from '../tables.ts'
import type { Profiles } from './profile.ts'
import { changed, toProfile, toRow } from './rows.ts'

/** Each user's own, in one row. */
export function profiles(db: Database): Profiles {
  const tables = db.withTables<LifeTables>()
  const rowOf = (userId: string): Promise<ProfileRow | undefined> =>
    tables.selectFrom('life_profiles').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return {
    get: async (userId) => toProfile(await rowOf(userId)),
    async change(userId, change) {
      for (;;) {
        const known = await rowOf(userId)
        const next = toRow(userId, changed(toProfile(known), change), known?.updated_at)
        if (await write(tables, next, known)) return toProfile(next)
      }
    },
    async remove(userId) {
      await tables.deleteFrom('life_profiles').where('user_id', '=', userId).execute()
    },
  }
}

/** False where another change came first. */
async function write(
  tables: Kysely<LifeTables>,
  next: ProfileRow,
  known: ProfileRow | undefined,
): Promise<boolean> {
  if (!known) {
    const made = await tables
      .insertInto('life_profiles')
      .values(next)
      .onConflict((on) => on.doNothing())
      .returning('user_id')
      .executeTakeFirst()
    return made !== undefined
  }
  const asItWas = tables
    .updateTable('life_profiles')
    .set(next)
    .where('user_id', '=', next.user_id)
    .where('updated_at', '=', known.updated_at)
  return (await asItWas.returning('user_id').executeTakeFirst()) !== undefined
}
