import type { Database } from '../../database/index.ts'
import { userTables } from './tables.ts'

/** When guests have last come, and which of them are being forgotten. All that is a guest's was written after a visit that stands here. */
export interface Visits {
  /** Notes that a guest is here, known or new. False where they are being forgotten: then they are nobody any more. */
  note(guest: string): Promise<boolean>
  /** Guests who have not come since a time (ms since 1970), the longest away first, from after one of them on. */
  away(since: number, page: { readonly after?: Away | undefined; readonly limit: number }): Promise<Away[]>
  /**
   * Begins to forget a guest: from then on the cookie is worth nothing. False where the guest has come since that time, is becoming an
   * account's, or somebody else has begun. Whoever has begun and not come to an end is taken for dead after a while.
   */
  take(guest: string, since: number): Promise<boolean>
  /** Nothing is left of them. */
  end(guests: readonly string[]): Promise<void>
}

/** A guest, and when they have last come. */
export type Away = { readonly guest: string; readonly lastAt: string }

/** A visit is noted once in so many ms: guests are forgotten after days. */
const NOTED_MS = 3_600_000
/** To forget a guest, and those who were taken with them, takes minutes at most. */
const TAKEN_MS = 3_600_000

export function visits(db: Database, now: () => number = Date.now): Visits {
  const tables = userTables(db)
  const time = (ago = 0): string => new Date(now() - ago).toISOString()
  return {
    async note(guest) {
      const row = await tables
        .selectFrom('guest_visits')
        .select(['last_at', 'taken_at'])
        .where('guest_id', '=', guest)
        .executeTakeFirst()
      if (row && row.taken_at === null && row.last_at > time(NOTED_MS)) return true
      // In one statement, so that of this visit and who begins to forget them one comes first.
      const noted = await tables
        .insertInto('guest_visits')
        .values({ guest_id: guest, last_at: time(), taken_at: null })
        .onConflict((on) =>
          on.column('guest_id').doUpdateSet({ last_at: time() }).where('guest_visits.taken_at', 'is', null),
        )
        .returning('guest_id')
        .executeTakeFirst()
      return noted !== undefined
    },
    async away(since, { after, limit }) {
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
    async take(guest, since) {
      const claimed = tables.selectFrom('guest_claims').select('guest_id').where('guest_id', '=', guest)
      const taken = await tables
        .updateTable('guest_visits')
        .set({ taken_at: time() })
        .where('guest_id', '=', guest)
        .where('last_at', '<', new Date(since).toISOString())
        .where((is) => is.or([is('taken_at', 'is', null), is('taken_at', '<', time(TAKEN_MS))]))
        .where((is) => is.not(is.exists(claimed.where('done_at', 'is', null))))
        .returning('guest_id')
        .executeTakeFirst()
      return taken !== undefined
    },
    async end(guests) {
      const ended = tables.deleteFrom('guest_visits').where('guest_id', 'in', guests)
      await ended.where('taken_at', 'is not', null).execute()
    },
  }
}
