import { threadBusy } from '../../log/index.ts'
import { toSummary, type StoredState } from '../rows/index.ts'
import { readState, STATE } from './run-states.ts'
import type { Sql } from './sql-port.ts'

/** Gives a user's runs and their keys to another, unless one of them has not ended. */
export function transferRuns(sql: Sql, from: string, to: string): void {
  const live = readState<StoredState>(
    sql,
    `${STATE} WHERE user_id = ? AND status IN ('queued', 'running', 'waiting') LIMIT 1`,
    from,
  )
  if (live) throw threadBusy(toSummary(live))
  // Every process that caches the owner of a run must read it again.
  sql.states.forgetAll()
  sql.states.nextChange()
  sql.change('UPDATE runs SET user_id = ? WHERE user_id = ?', to, from)
  sql.change('UPDATE OR IGNORE run_keys SET user_id = ? WHERE user_id = ?', to, from)
  sql.change('DELETE FROM run_keys WHERE user_id = ?', from)
}
