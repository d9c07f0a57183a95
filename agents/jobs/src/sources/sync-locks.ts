import type { Database } from 'dragoman/database'
import type { Json } from 'dragoman/events'
import type { Tables } from '../tables.ts'
import { outcomeColumns, type Outcome } from './source-row.ts'
import type { Source } from './source.ts'

/** Who syncs a source holds a claim on it, until a moment that no other claim on it ends at. */
export interface SyncLocks {
  /**
   * Takes a source for oneself, also from another server's process. False if somebody has it, or has had it or
   * changed it since it was looked at.
   */
  take(source: Source, now: Date, until: Date): Promise<boolean>
  /** Keeps how far a source has been read. */
  advance(source: Source, state: Json): Promise<void>
  /** Lets go, and writes down what came of the sync, if it came to an end. */
  release(source: Source, until: Date, outcome?: Outcome): Promise<void>
}

/** Keeps claims in the rows of the sources. */
export function syncLocks(database: Database): SyncLocks {
  const db = database.withTables<Tables>()
  const rowOf = ({ userId, id }: Source) =>
    db.updateTable('job_sources').where('user_id', '=', userId).where('id', '=', id)
  return {
    async take(source, now, until) {
      const { numUpdatedRows } = await rowOf(source)
        .set({ claimed_until: until.toISOString() })
        .where('due_at', 'is', source.dueAt)
        .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<', now.toISOString())]))
        .executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },

    async advance(source, state) {
      await rowOf(source)
        .set({ state: JSON.stringify(state) })
        .execute()
    },

    async release(source, until, outcome) {
      const { userId, id } = source
      const mine = db.selectFrom('job_sources').where('user_id', '=', userId).where('id', '=', id)
      // It may have been given another schedule meanwhile.
      const { schedule = null } = (await mine.select('schedule').executeTakeFirst()) ?? {}
      await rowOf(source)
        .where('claimed_until', '=', until.toISOString())
        .set({ claimed_until: null, ...(outcome && outcomeColumns(outcome, schedule)) })
        .execute()
    },
  }
}
