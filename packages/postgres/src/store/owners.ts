import { isGone } from 'dragoman/stores'

import { isConnectionError } from '../client/connection-errors.ts'
import type { Session } from '../client/session.ts'
import { NOW, OWNER_LOCKS } from './schema.ts'
import type { Sql } from './sql.ts'

/** The row of a process is deleted so long after its death. */
const FORGET_AFTER_MS = 24 * 60 * 60 * 1000
/** An owner that reported so recently is alive, whatever became of its lock: its session may be opening again. */
const RECENT_REPORT_MS = 1200
/** After an outage, living processes have this time to report, before their runs may be taken. */
const GRACE_AFTER_OUTAGE_MS = 5000
/** A new process cannot know of an outage. Living ones open their sessions again and report within this time. */
const GRACE_AT_START_MS = 2000

/**
 * Owners that are alive: they reported a moment ago, or hold their lock and their lease. A frozen process holds its
 * lock, and its lease ends; a dead one loses its lock at once. Within 5 s of the database's start, all count as alive.
 */
export const LIVING = `
  SELECT o.owner FROM owners o
  WHERE o.reported_at > ${NOW} - ${RECENT_REPORT_MS}
    OR clock_timestamp() - pg_postmaster_start_time() < interval '${GRACE_AFTER_OUTAGE_MS} ms'
    OR (o.alive_until > ${NOW} AND EXISTS (
      SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.classid = ${OWNER_LOCKS}
        AND l.objid = (hashtext(o.owner)::bigint & 4294967295)::oid
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())))`

/**
 * Which processes are alive. A living process holds a lock in its session, so the end of its connection is its death.
 */
export interface Owners {
  /** Reports that a process of this store is alive in a place for so many ms; 0: it is gone. */
  report(owner: string, forMs: number, place?: string): Promise<void>
  /** Whether this process may judge others: it has seen the database without an outage for some seconds. */
  mayTakeOver(): boolean
}

export async function createOwners(sql: Sql, session: Session): Promise<Owners> {
  const here = new Set<string>()
  let connections = 0
  const lock = 'SELECT pg_advisory_lock($1, hashtext($2))'
  await session.onConnect(async (client) => {
    connections += 1
    for (const owner of here) await client.query(lock, [OWNER_LOCKS, owner])
  })
  return {
    async report(owner, forMs, place) {
      if (forMs <= 0) {
        here.delete(owner)
        // A process that closes does not wait for a database that is away: the end of its lock tells the same.
        await sql
          .once(() => ({
            name: 'dragoman-gone',
            text: 'DELETE FROM owners WHERE owner = $1',
            values: [owner],
          }))
          .catch(ignoreAway)
        await session
          .query('SELECT pg_advisory_unlock($1, hashtext($2))', [OWNER_LOCKS, owner])
          .catch(() => undefined)
        return
      }
      if (!here.has(owner)) {
        here.add(owner)
        // Without a session now, the next one takes the lock.
        await session.query(lock, [OWNER_LOCKS, owner]).catch(() => undefined)
      }
      await sql.all(
        `INSERT INTO owners (owner, alive_until, reported_at, place) VALUES ($1, ${NOW} + $2, ${NOW}, $3)
         ON CONFLICT (owner) DO UPDATE SET alive_until = excluded.alive_until, reported_at = excluded.reported_at`,
        owner,
        forMs,
        place ?? null,
      )
      await sql.all(`DELETE FROM owners WHERE alive_until < ${NOW} - ${FORGET_AFTER_MS}`)
    },
    mayTakeOver: () => session.openForMs() > (connections === 1 ? GRACE_AT_START_MS : GRACE_AFTER_OUTAGE_MS),
  }
}

function ignoreAway(error: unknown): void {
  if (!isConnectionError(error)) throw error
}

/** Owners of this host whose process is seen to be dead, whatever their lock and lease say. */
export function deadOwners(owners: readonly string[]): string[] {
  return owners.filter((owner) => isGone(owner, Infinity, 0))
}
