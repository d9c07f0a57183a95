import { lockTurn, type Database } from '../../database/index.ts'
import { guestTurn, userTables } from './tables.ts'

/**
 * Records which account has claimed a guest. A guest is claimed once; the same account may begin again at any time.
 */
export interface GuestClaims {
  /** `taken`: by another user. `forgotten`: the guest is being removed for absence, and nothing has begun. */
  begin(guest: string, userId: string): Promise<'begun' | 'begun-before' | 'taken' | 'forgotten'>
  /** Cancels a claim that has just begun and has transferred nothing. */
  cancel(guest: string): Promise<void>
  /** Marks the claim as complete: the guest no longer exists. */
  complete(guest: string): Promise<void>
  isComplete(guest: string): Promise<boolean>
  isBegun(guest: string): Promise<boolean>
}

export function createGuestClaims(db: Database): GuestClaims {
  const tables = userTables(db)
  const findRow = (guest: string) =>
    tables.selectFrom('guest_claims').selectAll().where('guest_id', '=', guest).executeTakeFirst()
  return {
    async begin(guest, userId) {
      for (;;) {
        // In a transaction, so that a claim and a removal of the same guest exclude each other.
        const result = await tables.transaction().execute(async (trx) => {
          await lockTurn(trx, guestTurn(guest))
          const visit = trx.selectFrom('guest_visits').select('taken_at').where('guest_id', '=', guest)
          if (((await visit.executeTakeFirst())?.taken_at ?? null) !== null) return 'forgotten'
          const row = { guest_id: guest, user_id: userId, begun_at: new Date().toISOString(), done_at: null }
          const insertion = trx.insertInto('guest_claims').values(row)
          const first = await insertion
            .onConflict((on) => on.doNothing())
            .returning('guest_id')
            .executeTakeFirst()
          return first && 'begun'
        })
        if (result) return result
        const row = await findRow(guest)
        // Otherwise it was cancelled meanwhile.
        if (row) return row.user_id === userId ? 'begun-before' : 'taken'
      }
    },
    async cancel(guest) {
      const query = tables.deleteFrom('guest_claims').where('guest_id', '=', guest)
      await query.where('done_at', 'is', null).execute()
    },
    async complete(guest) {
      const query = tables.updateTable('guest_claims').set({ done_at: new Date().toISOString() })
      await query.where('guest_id', '=', guest).where('done_at', 'is', null).execute()
    },
    isComplete: async (guest) => ((await findRow(guest))?.done_at ?? null) !== null,
    isBegun: async (guest) => (await findRow(guest)) !== undefined,
  }
}
