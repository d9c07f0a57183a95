import type { Run } from 'dragoman/events'
import { toRun } from 'dragoman/stores'

import { RUN, type RunRow } from './run-rows.ts'
import type { Sql } from './sql.ts'

/**
 * Runs by the transaction of their last change. A transaction that is still open may have a smaller number, so the
 * feed ends before the oldest open one: it may lag and loses nothing. Runs of one transaction come in one batch.
 */
const CHANGED = `${RUN} WHERE s.changed > $1::xid8 AND s.changed < pg_snapshot_xmin(pg_current_snapshot())
  ORDER BY s.changed FETCH FIRST $2 ROWS WITH TIES`

export async function changedRuns(
  sql: Sql,
  after: string,
  limit: number,
): Promise<{ runs: Run[]; cursor: string }> {
  const rows = await sql.all<RunRow & { readonly changed: string }>(CHANGED, after, limit)
  return { runs: rows.map(toRun), cursor: rows.at(-1)?.changed ?? after }
}
