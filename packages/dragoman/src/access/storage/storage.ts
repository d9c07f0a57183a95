import { sql, type QueryExecutorProvider } from 'kysely'

import { lockRows, type Database } from '../../database/index.ts'
import { createPendingBytes } from './pending-bytes.ts'
import { storageFull } from './storage-error.ts'
import { storageTables } from './tables.ts'

/** What a user stores, in bytes. `limit` is null for a user without one. */
export type StorageStatus = { readonly used: number; readonly limit: number | null }

/**
 * Counts what users store. The count is a row of each user and part, so no request sums up rows. Conversations are
 * counted in the transactions that write them; what agents store is measured now and then.
 */
export interface Storage {
  status(userId: string): Promise<StorageStatus>
  /** @throws ServiceError `storage-full` if the user has no room for so many bytes more */
  requireRoom(userId: string, bytes?: number): Promise<void>
  /**
   * Counts bytes of conversations that a transaction adds or removes. It locks the user's row: call it at the end of
   * the transaction.
   */
  count(trx: QueryExecutorProvider, userId: string, bytes: number): Promise<void>
  /**
   * Counts bytes that are about to be stored, until `settle` or for a time, by default a minute: so requests at the
   * same time do not find the same room. @throws ServiceError `storage-full`
   */
  reserve(userId: string, key: string, bytes: number, forMs?: number): Promise<void>
  settle(userId: string, key: string): void
  /** Replaces the count of a user's conversations by a sum. While it is taken, nothing else is counted. */
  recount(userId: string, sum: (trx: Database) => Promise<number>): Promise<void>
  /** Stores what an agent stores of a user. */
  set(userId: string, part: string, bytes: number): Promise<void>
  /** Forgets the count of a removed user. */
  forget(userId: string): Promise<void>
}

const CONVERSATIONS = 'conversations'

/** `limitOf`: the bytes that a user may store; undefined for any number. */
export function createStorage(db: Database, limitOf: (userId: string) => number | undefined): Storage {
  const tables = storageTables(db)
  const pending = createPendingBytes()
  const usedBy = async (userId: string): Promise<number> => {
    const sum = tables.selectFrom('stored_bytes').select(({ fn }) => fn.sum<number>('bytes').as('bytes'))
    return (await sum.where('user_id', '=', userId).executeTakeFirst())?.bytes ?? 0
  }
  const requireRoom: Storage['requireRoom'] = async (userId, bytes = 0) => {
    const limit = limitOf(userId)
    if (limit === undefined) return
    const used = (await usedBy(userId)) + pending.of(userId)
    if (used >= limit || used + bytes > limit) throw storageFull(limit)
  }
  return {
    status: async (userId) => ({ used: await usedBy(userId), limit: limitOf(userId) ?? null }),
    requireRoom,
    async count(trx, userId, bytes) {
      if (bytes === 0) return
      await sql`INSERT INTO stored_bytes (user_id, part, bytes)
        VALUES (${userId}, ${CONVERSATIONS}, ${Math.max(0, bytes)})
        ON CONFLICT (user_id, part) DO UPDATE SET bytes =
          CASE WHEN stored_bytes.bytes + ${bytes} > 0 THEN stored_bytes.bytes + ${bytes} ELSE 0 END`.execute(
        trx,
      )
    },
    async reserve(userId, key, bytes, forMs) {
      await requireRoom(userId, bytes)
      pending.add(userId, key, bytes, forMs)
    },
    settle: pending.remove,
    async recount(userId, sum) {
      await db.transaction().execute(async (transaction) => {
        const trx = storageTables(transaction)
        const row = { user_id: userId, part: CONVERSATIONS, bytes: 0 }
        await trx
          .insertInto('stored_bytes')
          .values(row)
          .onConflict((on) => on.doNothing())
          .execute()
        const own = trx.selectFrom('stored_bytes').select('bytes').where('user_id', '=', userId)
        await lockRows(trx, own.where('part', '=', CONVERSATIONS)).execute()
        const bytes = await sum(transaction)
        const update = trx.updateTable('stored_bytes').set({ bytes }).where('user_id', '=', userId)
        await update.where('part', '=', CONVERSATIONS).execute()
      })
    },
    async set(userId, part, bytes) {
      const row = { user_id: userId, part, bytes }
      await tables
        .insertInto('stored_bytes')
        .values(row)
        .onConflict((on) => on.columns(['user_id', 'part']).doUpdateSet({ bytes }))
        .execute()
    },
    async forget(userId) {
      await tables.deleteFrom('stored_bytes').where('user_id', '=', userId).execute()
    },
  }
}
