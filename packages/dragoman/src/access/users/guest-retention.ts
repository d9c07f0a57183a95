import { inTurns, type Database } from '../../database/index.ts'
import { guestTurn, userTables } from './tables.ts'

/**
 * Records the last visits of guests, and which guests are being removed. Everything of a guest is written after a
 * recorded visit.
 */
export interface GuestRetention {
  /** Records a visit of a known or new guest. Returns false while the guest is being removed. */
  record(guest: string): Promise<boolean>
  /** Guests without a visit since a time (ms since 1970), longest absence first, in pages. */
  listAbsent(
    since: number,
    page: { readonly after?: AbsentGuest | undefined; readonly limit: number },
  ): Promise<AbsentGuest[]>
  /**
   * Begins to remove a guest: the cookie is invalid from now on. Returns false if the guest has come back, is being
   * claimed, or another process is removing it. A removal that does not end is taken over after a while.
   */
  beginRemoval(guest: string, since: number): Promise<boolean>
  /** Forgets guests of whom nothing is left. */
  endRemoval(guests: readonly string[]): Promise<void>
}

export type AbsentGuest = { readonly guest: string; readonly lastAt: string }

/** A visit is recorded at most once per interval: guests are removed after days. */
const RECORD_INTERVAL_MS = 3_600_000
/** Removing a batch of guests takes minutes at most. */
const REMOVAL_TIMEOUT_MS = 3_600_000

export function createGuestRetention(db: Database, now: () => number = Date.now): GuestRetention {
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
      // In one statement, so that a visit and a removal exclude each other.
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
      const updatedRow = await inTurns(tables, [guestTurn(guest)], (trx) =>
        beginRemoval(trx, guest, { since, now: now() }),
      )
      return updatedRow !== undefined
    },
    async endRemoval(guests) {
      const deletion = tables.deleteFrom('guest_visits').where('guest_id', 'in', guests)
      await deletion.where('taken_at', 'is not', null).execute()
    },
  }
}

/** Marks a guest as being removed, unless it came back, is being claimed, or another process removes it. */
function beginRemoval(
  tables: ReturnType<typeof userTables>,
  guest: string,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<unknown> {
  const claim = tables.selectFrom('guest_claims').select('guest_id').where('guest_id', '=', guest)
  const lost = new Date(now - REMOVAL_TIMEOUT_MS).toISOString()
  return tables
    .updateTable('guest_visits')
    .set({ taken_at: new Date(now).toISOString() })
    .where('guest_id', '=', guest)
    .where('last_at', '<', new Date(since).toISOString())
    .where((is) => is.or([is('taken_at', 'is', null), is('taken_at', '<', lost)]))
    .where((is) => is.not(is.exists(claim.where('done_at', 'is', null))))
    .returning('guest_id')
    .executeTakeFirst()
}
