import { DETACHED_PREFIX, isLive } from '../../events/index.ts'
import {
  claimedState,
  isClaimable,
  isGone,
  releasedState,
  type Claimable,
  type ClaimableQuery,
  type RunClaim,
  type RunState,
} from '../../log/index.ts'
import { toState, type StoredState } from '../rows/index.ts'
import { requireState, cacheState, readState, readStates, saveState, STATE } from './run-states.ts'
import type { Sql } from './sql-port.ts'

/** The row of a process is deleted so long after its death, in ms. */
const OWNER_RETENTION_MS = 24 * 60 * 60 * 1000

/** Asked every second: of the many that may wait for their users nothing is read. */
const CANDIDATES = `${STATE} WHERE status IN ('queued', 'running', 'waiting')
  AND (status != 'waiting' OR open_calls = 0 OR waiting_until <= ?) AND owner IS NOT ? ORDER BY num`

export function claimable(
  sql: Sql,
  owner: string,
  { agents, place, limit = 100 }: ClaimableQuery = {},
): Claimable[] {
  return readStates<StoredState>(sql, CANDIDATES, sql.now(), owner)
    .filter((row) => mayClaim(sql, row, owner))
    .filter((row) => !agents || agents.includes(row.agent) || row.thread_id.startsWith(DETACHED_PREFIX))
    .filter((row) => place === undefined || (placeOf(sql, row) ?? place) === place)
    .filter((row) => isClaimable(toState(row), sql.now(), () => isNext(sql, row)))
    .slice(0, limit)
    .map((row) => ({ id: row.id, epoch: row.epoch }))
}

export function claim(sql: Sql, runId: string, owner: string): number | undefined {
  const row = requireState(sql, runId)
  const state = toState(row)
  if (!isLive(state) || !mayClaim(sql, row, owner)) return undefined
  const next = claimedState(state, owner)
  save(sql, row, next)
  return next.epoch
}

export function claims(sql: Sql, runId: string): RunClaim[] {
  return sql.all<RunClaim>(
    'SELECT epoch, owner, at FROM run_claims WHERE num = (SELECT num FROM runs WHERE id = ?) ORDER BY epoch',
    runId,
  )
}

export function release(sql: Sql, runId: string, epoch: number): void {
  const row = requireState(sql, runId)
  const next = releasedState(toState(row), epoch)
  if (next) save(sql, row, next)
}

function save(sql: Sql, row: StoredState, state: RunState): void {
  const change = saveState(sql, row, state, row.last_at)
  cacheState(sql, row, { state, at: row.end_at, change })
}

export function alive(sql: Sql, owner: string, forMs: number): void {
  if (forMs <= 0) sql.change('DELETE FROM owners WHERE owner = ?', owner)
  else
    sql.change('INSERT OR REPLACE INTO owners (owner, alive_until) VALUES (?, ?)', owner, sql.now() + forMs)
  sql.change('DELETE FROM owners WHERE alive_until < ?', sql.now() - OWNER_RETENTION_MS)
}

function mayClaim(sql: Sql, { owner: before }: StoredState, owner: string): boolean {
  return before === null || before === owner || isGone(before, aliveUntil(sql, before) ?? 0, sql.now())
}

function aliveUntil(sql: Sql, owner: string): number | undefined {
  return sql.one<{ alive_until: number }>('SELECT alive_until FROM owners WHERE owner = ?', owner)
    ?.alive_until
}

export function findInThread(sql: Sql, threadId: string, statuses: string): StoredState | undefined {
  return readState(
    sql,
    `${STATE} WHERE thread_id = ? AND status IN (${statuses}) ORDER BY num LIMIT 1`,
    threadId,
  )
}

function placeOf(sql: Sql, { num }: StoredState): string | null {
  const place = "SELECT request ->> '$.place' AS place FROM runs WHERE num = ?"
  return sql.one<{ place: string | null }>(place, num)?.place ?? null
}

/** First in a free thread's queue. */
function isNext(sql: Sql, row: StoredState): boolean {
  const free = !findInThread(sql, row.thread_id, `'running', 'waiting'`)
  return free && findInThread(sql, row.thread_id, `'queued'`)?.num === row.num
}
