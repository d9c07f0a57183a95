import type { Database } from '../../database/index.ts'
import { userTables } from './tables.ts'

/** When guests have last come, and which of them are being forgotten. All that is a guest's was written after a visit that stands here. */
export interface GuestVisits {
  /** Notes that a guest is here, known or new. False where they are being forgotten: then they are nobody any more. */
  record(guest: string): Promise<boolean>
  /** Guests who have not come since a time (ms since 1970), the longest away first, from after one of them on. */
  listAbsent(
    since: number,
    page: { readonly after?: AbsentGuest | undefined; readonly limit: number },
  ): Promise<AbsentGuest[]>
  /**
   * Begins to forget a guest: from then on the cookie is worth nothing. False where the guest has come since that time, is becoming an
   * account's, or somebody else has begun. Whoever has begun and not come to an end is taken for dead after a while.
   */
  beginRemoval(guest: string, since: number): Promise<boolean>
  /** Nothing is left of them. */
  endRemoval(guests: readonly string[]): Promise<void>
}

/** A guest, and when they have last come. */
export type AbsentGuest = { readonly guest: string; readonly lastAt: string }

/** A visit is noted once in so many ms: guests are forgotten after days. */
const RECORD_INTERVAL_MS = 3_600_000
/** To forget a guest, and those who were taken with them, takes minutes at most. */
const REMOVAL_TIMEOUT_MS = 3_600_000

export function createGuestVisits(db: Database, now: () => number = Date.now): GuestVisits {
  const tables = userTables(db)
  const timeAgo = (ago = 0): string => new Date(now() - ago).toISOString()
  return {
    async record(guest) {
      const row = await tables
        .selectFrom('guest_visits')
        .select(['last_at', 'taken_at'])
        .where('guest_id', '=', guest)
        .executeTakeFirst()
      if (row && row.taken_at === null && row.last_at > timeAgo(RECORD_INTERVAL_MS)) return true
      // In one statement, so that of this visit and who begins to forget them one comes first.
      const storedRow = await tables
        .insertInto('guest_visits')
        .values({ guest_id: guest, last_at: timeAgo(), taken_at: null })
        .onConflict((on) =>
          on
            .column('guest_id')
            .doUpdateSet({ last_at: timeAgo() })
            .where('guest_visits.taken_at', 'is', null),
        )
        .returning('guest_id')
        .executeTakeFirst()
      return storedRow !== undefined
    },
    async listAbsent(since, { after, limit }) {
      let page = tables
        .selectFrom('guest_visits')
        .select(['guest_id as guest', 'last_at as lastAt'])
        .where('last_at', '<', new Date(since).toISOString())
      if (after)
        page = page.where((is) =>
          is(is.refTuple('last_at', 'guest_id'), '>', is.tuple(after.lastAt, after.guest)),
        )
      return page.orderBy('last_at').orderBy('guest_id').limit(limit).execute()
    },
    async beginRemoval(guest, since) {
      const claim = tables.selectFrom('guest_claims').select('guest_id').where('guest_id', '=', guest)
      const updatedRow = await tables
        .updateTable('guest_visits')
        .set({ taken_at: timeAgo() })
        .where('guest_id', '=', guest)
        .where('last_at', '<', new Date(since).toISOString())
        .where((is) => is.or([is('taken_at', 'is', null), is('taken_at', '<', timeAgo(REMOVAL_TIMEOUT_MS))]))
        .where((is) => is.not(is.exists(claim.where('done_at', 'is', null))))
        .returning('guest_id')
        .executeTakeFirst()
      return updatedRow !== undefined
    },
    async endRemoval(guests) {
      const deletion = tables.deleteFrom('guest_visits').where('guest_id', 'in', guests)
      await deletion.where('taken_at', 'is not', null).execute()
    },
  }
}
