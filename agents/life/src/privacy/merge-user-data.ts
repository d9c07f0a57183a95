import { isDeepStrictEqual } from 'node:util'

import { lockTurn, type Database } from 'dragoman/database'
import { planMerge, type MergePlan } from '../memories/plan-merge.ts'
import { selectMemories, type Tables } from '../memories/memory-rows.ts'
import { analyzeMemories } from '../memories/analyze-memories.ts'
import { profileAdditions } from '../profile/profile-additions.ts'
import { applyChange, toProfile, toRow } from '../profile/profile-rows.ts'
import type { LifeTables } from '../life-tables.ts'
import { userTurn } from '../user-turn.ts'

/** Names of fields that the other did not have, and the number of memories. */
export type MergedData = { readonly profile: readonly string[]; readonly memories: number }

/**
 * Gives what is kept of one user to another, in one transaction: what the other's profile does not say, and memories,
 * each once. What they have said themselves stays. Nothing is left of the first, also no greeting.
 */
export function createUserDataMerge(database: Database): (from: string, to: string) => Promise<MergedData> {
  const db: Tables = database.withTables<LifeTables>()
  return async (from, to) => {
    for (;;) {
      const read = await readMemories(db, from, to)
      // It takes a while: no request waits for it inside the transaction, which only sees to it that nothing was said
      // meanwhile.
      const plan = await planMerge(
        await analyzeMemories(to, read.own),
        await analyzeMemories(to, read.theirs),
      )
      const counts = await db.transaction().execute(async (trx) => {
        for (const turn of [from, to].map(userTurn).toSorted()) await lockTurn(trx, turn)
        if (!isDeepStrictEqual(await readMemories(trx, from, to), read)) return undefined
        await mergeMemories(trx, { from, to, plan })
        return { profile: await mergeProfiles(trx, from, to), memories: plan.added.length }
      })
      if (counts) return counts
    }
  }
}

async function readMemories(db: Tables, from: string, to: string) {
  return { own: await selectMemories(db, to), theirs: await selectMemories(db, from) }
}

async function mergeMemories(
  trx: Tables,
  { from, to, plan }: { readonly from: string; readonly to: string; readonly plan: MergePlan },
): Promise<void> {
  const own = trx.updateTable('life_memories')
  for (const { id, content, importance, updatedAt } of plan.updated) {
    await own.set({ content, importance, updated_at: updatedAt }).where('id', '=', id).execute()
  }
  for (const id of plan.dropped) await trx.deleteFrom('life_memories').where('id', '=', id).execute()
  for (const id of plan.added) await own.set({ user_id: to }).where('id', '=', id).execute()
  await trx.deleteFrom('life_memories').where('user_id', '=', from).execute()
}

/** Gives the names of what was added. */
async function mergeProfiles(trx: Tables, from: string, to: string): Promise<readonly string[]> {
  const rows = trx.selectFrom('life_profiles').selectAll()
  const [own, theirs] = [
    await rows.where('user_id', '=', to).executeTakeFirst(),
    await rows.where('user_id', '=', from).executeTakeFirst(),
  ]
  await trx.deleteFrom('life_profiles').where('user_id', '=', from).execute()
  await trx.deleteFrom('life_greetings').where('user_id', '=', from).execute()
  const { change, fields } = profileAdditions(toProfile(own), toProfile(theirs))
  if (fields.length > 0) {
    const row = toRow(to, applyChange(toProfile(own), change), own?.updated_at)
    await trx
      .insertInto('life_profiles')
      .values(row)
      .onConflict((on) => on.column('user_id').doUpdateSet(row))
      .execute()
  }
  return fields
}
