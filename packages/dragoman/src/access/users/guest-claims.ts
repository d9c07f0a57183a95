import type { Database } from '../../database/index.ts'
import { userTables } from './tables.ts'

/** Which guest has become whose. A guest is claimed once; whoever has begun may begin again until it is done, and after. */
export interface GuestClaims {
  /** `taken`: by another user; `forgotten`: they have not come for too long, and nothing is begun. */
  begin(guest: string, userId: string): Promise<'begun' | 'begun-before' | 'taken' | 'forgotten'>
  /** Of one just begun, where nothing has come of it. */
  cancel(guest: string): Promise<void>
  /** From now on there is no such guest. */
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
        // One after the other, so that whoever begins to forget them sees this, or is seen.
        const result = await tables.transaction().execute(async (trx) => {
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
        // Else it was taken back meanwhile.
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
