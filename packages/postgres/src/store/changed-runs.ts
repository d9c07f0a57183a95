import type { RunSummary } from 'dragoman/events'
import { toSummary, type ChangesOf, type ThreadParts } from 'dragoman/stores'

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

/** Runs of one transaction come in one batch. */
const changedBefore = (edge: string, which: string): string =>
  `${STATE} WHERE s.changed > $1::xid8 AND ${edge} AND ${which} ORDER BY s.changed FETCH FIRST $2 ROWS WITH TIES`

/**
 * Runs by the transaction of their last change. A transaction that is still open may have a smaller number, so the
 * feed of all users ends before the oldest open one: it may lag and loses nothing. Nothing is kept of the cursors of
 * one user's feed, so it does not lag.
 */
const STATEMENTS = {
  all: changedBefore(`s.changed < (${OLDEST_OPEN})`, 'true'),
  user: changedBefore('true', 'r.user_id = $3'),
  parts: `SELECT feed.last, found.* FROM (
      SELECT open, (SELECT max(changed)::text FROM run_states WHERE changed < open) AS last
      FROM (${OLDEST_OPEN}) AS oldest (open)) feed
    LEFT JOIN LATERAL (${changedBefore(
      's.changed < feed.open',
      '(hashtext(r.thread_id) & 2147483647) % $3 = ANY ($4::integer[])',
    )}) found ON true`,
}

type Changes = { readonly runs: RunSummary[]; readonly cursor: string }
type ChangedRow = StateRow & { readonly changed: string }

export async function changedRuns(
  sql: Sql,
  after: string,
  { limit, which }: { readonly limit: number; readonly which: ChangesOf | undefined },
): Promise<Changes> {
  if (which && 'parts' in which) return changedInParts(sql, after, { limit, ...which })
  const rows = await (which
    ? sql.all<ChangedRow>(STATEMENTS.user, after, limit, which.userId)
    : sql.all<ChangedRow>(STATEMENTS.all, after, limit))
  return { runs: rows.map(toSummary), cursor: rows.at(-1)?.changed ?? after }
}

type PartsRow = { readonly last: string | null } & (ChangedRow | { readonly num: null })

async function changedInParts(
  sql: Sql,
  after: string,
  { limit, parts, of }: ThreadParts & { readonly limit: number },
): Promise<Changes> {
  const rows = await sql.all<PartsRow>(STATEMENTS.parts, after, limit, of, parts)
  const found = rows.filter((row) => row.num !== null)
  const last = found.length < limit ? rows[0]?.last : found.at(-1)?.changed
  return { runs: found.map(toSummary), cursor: Number(last ?? 0) > Number(after) ? String(last) : after }
}
