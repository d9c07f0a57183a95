import { setTimeout as wait } from 'node:timers/promises'

import type { Cluster, ClusterNode, UseCount } from 'dragoman/cluster'

import { isConnectionError } from './client/connection-errors.ts'
import type { Session } from './client/session.ts'
import { shareParts } from './share-parts.ts'
import { LIVING } from './store/owners.ts'
import { LEADER_LOCKS, NOW } from './store/schema.ts'
import type { Sql } from './store/sql.ts'

/** How often a node tries to lead what another one leads. */
const RETRY_INTERVAL_MS = 1000

/** A window that has ended begins again with this use. All nodes go by the database's clock. */
const COUNT = `
INSERT INTO use_counts (key, count, ends_at) VALUES ($1, $3, ${NOW} + $2::bigint)
ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN use_counts.ends_at <= ${NOW} THEN excluded.count ELSE use_counts.count + excluded.count END,
  ends_at = CASE WHEN use_counts.ends_at <= ${NOW} THEN excluded.ends_at ELSE use_counts.ends_at END
RETURNING count, ends_at - ${NOW} AS "endsInMs"`
const REMOVE_ENDED = `DELETE FROM use_counts WHERE ends_at < ${NOW} - 60000`
/** Ended windows are removed once for so many counts. */
const COUNTS_PER_REMOVAL = 1000

export const NODES = `
SELECT o.owner AS name, o.place, o.reported_at AS "reportedAt", o.owner IN (${LIVING}) AS "isAlive",
  (SELECT count(*) FROM run_states s WHERE s.status = 'running' AND s.owner = o.owner) AS runs
FROM owners o ORDER BY o.owner`

/** The nodes of one database. A node leads as long as its session holds the lock. */
export function createCluster(sql: Sql, session: Session, health: Cluster['health']): Cluster {
  let counts = 0
  return {
    async lead(name, work, signal) {
      while (!signal.aborted) {
        if (await tryLock(session, name)) await leadUntilLost(session, name, { work, signal })
        await wait(RETRY_INTERVAL_MS, undefined, { signal }).catch(() => undefined)
      }
    },
    share: (name, parts, work, signal) => shareParts(session, { name, parts, work }, signal),
    async count(key, windowMs, uses = 1): Promise<UseCount> {
      counts += 1
      if (counts % COUNTS_PER_REMOVAL === 0) await sql.all(REMOVE_ENDED)
      const [row] = await sql.all<UseCount>(COUNT, key, windowMs, uses)
      return row ?? { count: uses, endsInMs: windowMs }
    },
    nodes: () => sql.all<ClusterNode>(NODES),
    onLost: session.onLost,
    health,
  }
}

/** False if another node leads, or while the session is away. */
async function tryLock(session: Session, name: string): Promise<boolean> {
  try {
    const [row] = await session.query<{ leads: boolean }>(
      'SELECT pg_try_advisory_lock($1, hashtext($2)) AS leads',
      [LEADER_LOCKS, name],
    )
    return row?.leads ?? false
  } catch (error) {
    if (isConnectionError(error)) return false
    throw error
  }
}

type Leading = {
  readonly work: (signal: AbortSignal) => Promise<void>
  readonly signal: AbortSignal
}

async function leadUntilLost(session: Session, name: string, { work, signal }: Leading): Promise<void> {
  const leading = AbortSignal.any([signal, session.connectionSignal()])
  try {
    // The server may have begun to close, or the session may be lost, since the lock was taken.
    if (!leading.aborted) await work(leading)
  } finally {
    // Without this, a node that closes would lead until its connection ends.
    await session
      .query('SELECT pg_advisory_unlock($1, hashtext($2))', [LEADER_LOCKS, name])
      .catch(() => undefined)
  }
}
