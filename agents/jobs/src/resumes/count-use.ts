import type { Transaction } from 'kysely'

import type { Tables } from '../tables.ts'

/** Counts a use of a resume: an application, an analysis, a tailored version. One that is gone is not counted. */
export async function countUse(trx: Transaction<Tables>, userId: string, id: number): Promise<void> {
  await trx
    .updateTable('resumes')
    .set((eb) => ({ use_count: eb('use_count', '+', 1) }))
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .execute()
}
