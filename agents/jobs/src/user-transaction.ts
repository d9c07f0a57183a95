import type { Kysely, Transaction } from 'kysely'

import { lockTurn } from 'dragoman/database'
import type { Tables } from './tables.ts'

/**
 * A transaction on a user's rows. Those of one user run one after another on every database. So what one has read stays
 * true until its end, and no two wait for each other's rows.
 */
export function userTransaction<Result>(
  db: Kysely<Tables>,
  userId: string,
  action: (trx: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute(async (trx) => {
    await lockTurn(trx, `jobs of ${userId}`)
    return action(trx)
  })
}
