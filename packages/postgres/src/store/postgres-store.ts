import type pg from 'pg'

import { toRun, toSummary, type Store } from 'dragoman/stores'

import type { Session } from '../client/session.ts'
import { createAppender } from './appender.ts'
import { changedRuns } from './changed-runs.ts'
import { claim, claimable, claims, release } from './claims.ts'
import { createRun } from './create-run.ts'
import { createOwners } from './owners.ts'
import { readLog } from './read-log.ts'
import { packNext } from './pack-logs.ts'
import { discardNext, pruneNext, readBacklog, removeThread, transferRuns } from './retention.ts'
import { findRun, findState, requireState, RUN, STATE, type RunRow, type StateRow } from './run-rows.ts'
import type { Sql } from './sql.ts'

const NO_CURSOR = '0'

/** Runs and their logs in PostgreSQL, in the tables of `logMigrations`. Closing it does not close the pool. */
export async function createPostgresStore(sql: Sql, pool: pg.Pool, session: Session): Promise<Store> {
  // Before the first connection, so that it sees the end of each.
  const appender = createAppender(sql, pool)
  const owners = await createOwners(sql, session)
  return {
    create: (run, whenBusy, owner) => createRun(sql, run, { whenBusy, owner, onClaimed: appender.learn }),
    async get(runId) {
      const row = await findRun(sql, runId)
      return row && toRun(row)
    },
    find: (userId, key) => find(sql, userId, key),
    async list(threadId, { before, limit, live }) {
      const until = before === undefined ? undefined : ((await findState(sql, before))?.num ?? 0)
      const rows = await sql.all<StateRow>(
        `${STATE} WHERE r.thread_id = $1 AND ($2::bigint IS NULL OR r.num < $2)
         ${live ? `AND s.status IN ('queued', 'running', 'waiting')` : ''} ORDER BY r.num DESC LIMIT $3`,
        threadId,
        until ?? null,
        limit,
      )
      return rows.map(toSummary)
    },
    async summaries(runIds) {
      const rows = await sql.all<StateRow>(`${STATE} WHERE r.id = ANY($1::text[])`, runIds)
      return rows.map(toSummary)
    },
    claimable: (owner, which = {}) => claimable(sql, owners, owner, which),
    async claim(runId, owner) {
      await requireState(sql, runId)
      const epoch = await claim(sql, owners, runId, owner)
      appender.forget(runId)
      return epoch
    },
    claims: (runId) => claims(sql, runId),
    async release(runId, epoch) {
      await requireState(sql, runId)
      await release(sql, runId, epoch)
      appender.forget(runId)
    },
    alive: owners.report,
    append: appender.append,
    read: (runId, after, what) => readLog(sql, runId, after, what),
    changed: (after, limit, which) => changedRuns(sql, after ?? NO_CURSOR, { limit, which }),
    ping: async () => void (await sql.all('SELECT 1')),
    pack: (before) => packNext(sql, before),
    prune: (before, upTo) => pruneNext(sql, before, upTo),
    backlog: (before) => readBacklog(sql, before),
    discard: (before) => discardNext(sql, before),
    adopt: (from, to) => transferRuns(sql, from, to),
    remove: (threadId) => removeThread(sql, threadId),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]()
    },
  }
}

/** By a key of the run or of an answer, or by the id of the message that the run writes. */
async function find(sql: Sql, userId: string, key: string): ReturnType<Store['find']> {
  const byKey = `${RUN} WHERE r.num = (SELECT num FROM run_keys WHERE user_id = $1 AND key = $2)`
  const byMessage = `${RUN} WHERE r.user_id = $1 AND r.message_id = $2`
  const [row] = await sql.all<RunRow>(`(${byKey}) UNION ALL (${byMessage}) LIMIT 1`, userId, key)
  return row && toRun(row)
}
