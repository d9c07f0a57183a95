import type { Database, Migration } from '../database/index.ts'

/** Code that deletes data by age asks this clock first. */
export interface TrustedClock {
  /** Whether the clock's time may be used to delete old data. False for an hour after the clock jumped ahead. */
  isTrusted(): Promise<boolean>
}

/**
 * A larger step ahead of the last time that the server saw means that the clock jumped, or that the server was off.
 */
const MAX_STEP_MS = 86_400_000
/**
 * Nothing is deleted for this long after a jump: until then, a wrong clock is corrected or its warning has been read.
 */
const DISTRUST_MS = 3_600_000
const SAVE_INTERVAL_MS = 3_600_000

type Row = { id: number; seen_at: number; jumped_at: number | null }
type Tables = { clock_seen: Row }

export const trustedClockMigrations: readonly Migration[] = [
  {
    name: 'clock-1',
    statements: [
      `CREATE TABLE clock_seen (id INTEGER PRIMARY KEY CHECK (id = 1), seen_at INTEGER NOT NULL,
       jumped_at INTEGER) STRICT`,
    ],
  },
]

/** The time as this home has seen it, across restarts. `warn` is called once for each jump. */
export function createTrustedClock(
  db: Database,
  warn: (problem: string) => void,
  now: () => number = Date.now,
): TrustedClock {
  const tables = db.withTables<Tables>()
  const save = async (row: Row): Promise<void> => {
    await tables
      .insertInto('clock_seen')
      .values(row)
      .onConflict((on) => on.column('id').doUpdateSet(row))
      .execute()
  }
  return {
    async isTrusted() {
      const at = now()
      const row = await tables.selectFrom('clock_seen').selectAll().executeTakeFirst()
      if (!row) {
        await save({ id: 1, seen_at: at, jumped_at: null })
        return true
      }
      const step = at - row.seen_at
      if (step > MAX_STEP_MS) {
        await save({ id: 1, seen_at: at, jumped_at: at })
        warn(
          `The clock is ${Math.floor(step / MAX_STEP_MS)} days ahead of when this home was last ` +
            'used. Nothing is deleted for its age for an hour.',
        )
        return false
      }
      const { jumped_at: jumpedAt } = row
      const isDistrusted = jumpedAt !== null && at >= jumpedAt && at - jumpedAt < DISTRUST_MS
      const isChanged = !isDistrusted && jumpedAt !== null
      if (isChanged || Math.abs(step) > SAVE_INTERVAL_MS)
        await save({ id: 1, seen_at: at, jumped_at: isDistrusted ? jumpedAt : null })
      return !isDistrusted
    },
  }
}
