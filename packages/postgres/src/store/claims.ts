import { DETACHED_PREFIX } from 'dragoman/events'
import type { Claimable, ClaimableQuery, RunClaim } from 'dragoman/stores'

import { deadOwners, LIVING, type Owners } from './owners.ts'
import { NOW } from './schema.ts'
import type { Sql } from './sql.ts'

/**
 * Whether no process drives the runs of an owner: it has let go, or is known to be dead, or does not count as alive and
 * the process may judge that.
 */
function isFree(owner: string, { dead, mayTakeOver }: { dead: string; mayTakeOver: string }): string {
  return `(${owner} = ANY (${dead}::text[]) OR NOT EXISTS (SELECT FROM owners o WHERE o.owner = ${owner})
    OR (${mayTakeOver} AND ${owner} NOT IN (SELECT owner FROM living)))`
}

/**
 * Runs that a process may continue: $1 the process, $2 whether it may judge others, $3 dead owners of its host, $4 its
 * agents, or null for all, $5 the limit, $6 its place, or null for all. It also reports that the process is alive. The
 * owners of running runs are found by steps through the index, so thousands of runs of living owners cost nothing.
 */
const CLAIMABLE = `
WITH RECURSIVE reported AS (
  UPDATE owners SET reported_at = ${NOW} WHERE owner = $1
), living AS MATERIALIZED (
  ${LIVING}
), holder (owner) AS (
  (SELECT owner FROM run_states WHERE status = 'running' AND owner IS NOT NULL ORDER BY owner LIMIT 1)
  UNION ALL
  SELECT (SELECT s.owner FROM run_states s WHERE s.status = 'running' AND s.owner > h.owner ORDER BY s.owner LIMIT 1)
  FROM holder h WHERE h.owner IS NOT NULL
), free AS (
  SELECT s.num, s.epoch FROM run_states s WHERE s.status = 'running' AND s.owner IS NULL
  UNION ALL
  SELECT s.num, s.epoch FROM holder h JOIN run_states s ON s.status = 'running' AND s.owner = h.owner
  WHERE h.owner <> $1 AND ${isFree('h.owner', { dead: '$3', mayTakeOver: '$2' })}
  UNION ALL
  SELECT s.num, s.epoch FROM run_states s
  WHERE s.status = 'waiting' AND (CASE WHEN s.open_calls = 0 THEN 0 ELSE s.waiting_until END) <= ${NOW}
    AND (s.owner IS NULL OR (s.owner <> $1 AND ${isFree('s.owner', { dead: '$3', mayTakeOver: '$2' })}))
  UNION ALL
  SELECT s.num, s.epoch FROM run_states s JOIN runs r USING (num) WHERE s.status = 'queued' AND NOT EXISTS (
    SELECT FROM runs other JOIN run_states o USING (num) WHERE other.thread_id = r.thread_id
      AND (o.status IN ('running', 'waiting') OR (o.status = 'queued' AND o.num < s.num)))
)
SELECT coalesce(json_agg(json_build_object('id', id, 'epoch', epoch)), '[]') AS runs,
  (SELECT coalesce(array_agg(owner), '{}') FROM (
    SELECT owner FROM living UNION SELECT owner FROM holder WHERE owner IS NOT NULL) known) AS owners
FROM (SELECT r.id, f.epoch FROM free f JOIN runs r USING (num)
  WHERE ($4::text[] IS NULL OR r.agent = ANY ($4) OR starts_with(r.thread_id, '${DETACHED_PREFIX}'))
    AND ($6::text IS NULL OR r.place IS NULL OR r.place = $6)
  ORDER BY f.num LIMIT $5) found`

type Found = { readonly runs: Claimable[]; readonly owners: readonly string[] }

export async function claimable(
  sql: Sql,
  owners: Owners,
  owner: string,
  { agents, place, limit = 100 }: ClaimableQuery,
): Promise<Claimable[]> {
  const which = [agents ?? null, limit, place ?? null]
  const find = async (dead: readonly string[]): Promise<Found> => {
    const [found] = await sql.all<Found>(CLAIMABLE, owner, owners.mayTakeOver(), dead, ...which)
    return found ?? { runs: [], owners: [] }
  }
  const found = await find([])
  const dead = deadOwners(found.owners)
  return dead.length === 0 ? found.runs : (await find(dead)).runs
}

const CLAIM = `
WITH living AS (${LIVING})
UPDATE run_states s SET owner = $2, epoch = s.epoch + 1,
  crashes = s.crashes + CASE WHEN s.owner <> $2 THEN 1 ELSE 0 END,
  version = s.version + 1, changed = pg_current_xact_id(),
  status = CASE WHEN s.status = 'queued' THEN 'running' ELSE s.status END
FROM runs r WHERE r.id = $1 AND r.num = s.num AND s.status IN ('queued', 'running', 'waiting')
  AND (s.owner IS NULL OR s.owner = $2 OR ${isFree('s.owner', { dead: '$4', mayTakeOver: '$3' })})
RETURNING s.epoch`

/** Gives the new epoch, or undefined if the run is another's or has ended. */
export async function claim(
  sql: Sql,
  owners: Owners,
  runId: string,
  owner: string,
): Promise<number | undefined> {
  const tryClaim = async (dead: readonly string[]): Promise<number | undefined> => {
    const [row] = await sql.all<{ epoch: number }>(CLAIM, runId, owner, owners.mayTakeOver(), dead)
    return row?.epoch
  }
  const epoch = await tryClaim([])
  if (epoch !== undefined) return epoch
  const [row] = await sql.all<{ owner: string | null }>(
    'SELECT s.owner FROM runs r JOIN run_states s USING (num) WHERE r.id = $1',
    runId,
  )
  const dead = deadOwners(row?.owner === undefined || row.owner === null ? [] : [row.owner])
  return dead.length === 0 ? undefined : tryClaim(dead)
}

/** Who has claimed a run, in order. */
export function claims(sql: Sql, runId: string): Promise<RunClaim[]> {
  return sql.all<RunClaim>(
    'SELECT c.epoch, c.owner, c.at FROM run_claims c JOIN runs r USING (num) WHERE r.id = $1 ORDER BY c.epoch',
    runId,
  )
}

const RELEASE = `
UPDATE run_states s SET owner = NULL, version = s.version + 1, changed = pg_current_xact_id()
FROM runs r WHERE r.id = $1 AND r.num = s.num AND s.epoch = $2 AND s.status IN ('queued', 'running', 'waiting')`

/** Gives a run up that the epoch still drives. */
export async function release(sql: Sql, runId: string, epoch: number): Promise<void> {
  await sql.all(RELEASE, runId, epoch)
}
