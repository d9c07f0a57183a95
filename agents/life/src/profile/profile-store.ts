import type { Kysely } from 'kysely'

import { lockTurn, type Database } from 'dragoman/database'
import type { LifeTables, ProfileRow } from '../life-tables.ts'
import type { Profiles } from './profile.ts'
import { userTurn } from '../user-turn.ts'
import { applyChange, toProfile, toRow } from './profile-rows.ts'

/** Each user's own, in one row. */
export function createProfileStore(db: Database): Profiles {
  const tables = db.withTables<LifeTables>()
  const rowOf = (userId: string): Promise<ProfileRow | undefined> =>
    tables.selectFrom('life_profiles').selectAll().where('user_id', '=', userId).executeTakeFirst()
  return {
    get: async (userId) => toProfile(await rowOf(userId)),
    async change(userId, change) {
      for (;;) {
        const row = await rowOf(userId)
        const next = toRow(userId, applyChange(toProfile(row), change), row?.updated_at)
        const isWritten = await tables.transaction().execute(async (trx) => {
          await lockTurn(trx, userTurn(userId))
          const isFirst = await write(trx, next, row)
          if (isFirst && (change.birth === null || change.displayName === null))
            await deleteGreetings(trx, userId)
          return isFirst
        })
        if (isWritten) return toProfile(next)
      }
    },
    async remove(userId) {
      await tables.transaction().execute(async (trx) => {
        await lockTurn(trx, userTurn(userId))
        await trx.deleteFrom('life_profiles').where('user_id', '=', userId).execute()
        await deleteGreetings(trx, userId)
      })
    },
  }
}

/** Greetings contain the name and depend on the birth, so a removed name or birth must not stay in them. */
async function deleteGreetings(tables: Kysely<LifeTables>, userId: string): Promise<void> {
  await tables.deleteFrom('life_greetings').where('user_id', '=', userId).execute()
}

/** False where another change came first. */
async function write(
  tables: Kysely<LifeTables>,
  next: ProfileRow,
  row: ProfileRow | undefined,
): Promise<boolean> {
  if (!row) {
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
    .where('updated_at', '=', row.updated_at)
  return (await asItWas.returning('user_id').executeTakeFirst()) !== undefined
}
