import type { RunSummary } from 'dragoman/events'
import { toSummary } from 'dragoman/stores'

import { STATE, type StateRow } from './run-rows.ts'
import type { Sql } from './sql.ts'

/**
 * The oldest open transaction that may still change a run, else the next one. Transactions are numbered for the whole
 * server; those whose session is known to be in another database cannot change a run of this one.
 */
const OLDEST_OPEN = `SELECT coalesce(min(open), pg_snapshot_xmax(pg_current_snapshot()))
  FROM pg_snapshot_xip(pg_current_snapshot()) AS open
  WHERE NOT EXISTS (
    SELECT FROM pg_stat_get_activity(NULL) AS session JOIN pg_database ON oid = session.datid
    WHERE session.backend_xid = open::xid AND datname <> current_database()
  )`

/**
 * Runs by the transaction of their last change. A transaction that is still open may have a smaller number, so the
 * feed ends before the oldest open one: it may lag and loses nothing. Runs of one transaction come in one batch.
 */
const CHANGED = `${STATE} WHERE s.changed > $1::xid8 AND s.changed < (${OLDEST_OPEN})
  AND ($3::text IS NULL OR r.user_id = $3) ORDER BY s.changed FETCH FIRST $2 ROWS WITH TIES`

export async function changedRuns(
  sql: Sql,
  after: string,
  { limit, userId }: { readonly limit: number; readonly userId: string | undefined },
): Promise<{ runs: RunSummary[]; cursor: string }> {
  const rows = await sql.all<StateRow & { readonly changed: string }>(CHANGED, after, limit, userId ?? null)
  return { runs: rows.map(toSummary), cursor: rows.at(-1)?.changed ?? after }
}
