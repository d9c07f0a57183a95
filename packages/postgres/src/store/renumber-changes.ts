import { Client } from 'pg'

import { connectionOptions, type DatabaseSource } from '../client/pool.ts'
import { RENUMBER_LOCK } from './schema.ts'
import type { Query, Sql } from './sql.ts'

/**
 * The feed of changes is ordered by numbers of transactions. A dump that was restored on another server has numbers
 * that come there only later: until then, the feed would not give those runs, and new ones would come before its
 * cursors.
 */
const AHEAD = `SELECT 1 FROM run_states WHERE changed >= pg_snapshot_xmax(pg_current_snapshot()) LIMIT 1`

/** The tables with cursors of the feed: a cursor then says how many runs its owner has seen. */
const READERS = ['projections', 'usage_walk']
const PRESENT = `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL`
const POSITION = '(SELECT count(*) FROM run_states WHERE changed <= cursor::text::xid8)'

const RUNS = `UPDATE run_states s SET changed = place::text::xid8
  FROM (SELECT num, row_number() OVER (ORDER BY changed, num) AS place FROM run_states) r WHERE r.num = s.num`

/** Numbers the changes from 1 on, in their order, if they are ahead of the server. For a node that starts. */
export async function renumberChanges(sql: Sql, source: DatabaseSource): Promise<void> {
  if ((await sql.all(AHEAD)).length === 0) return
  // It may take as long as there are runs.
  const client = new Client({ ...connectionOptions(source), query_timeout: 0 })
  client.on('error', () => undefined)
  const query: Query = async (text, ...values) => (await client.query(text, [...values])).rows
  try {
    await client.connect()
    await query('SET statement_timeout = 0')
    await query('SELECT pg_advisory_lock($1, 0)', RENUMBER_LOCK)
    // Another node may have done it meanwhile.
    if ((await query(AHEAD)).length > 0) await renumber(query)
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function renumber(query: Query): Promise<void> {
  const [runs] = await query<{ count: number }>('SELECT count(*) FROM run_states')
  await reserveNumbers(query, runs?.count ?? 0)
  const readers = await query<{ name: string }>(PRESENT, READERS)
  await query('BEGIN')
  for (const { name } of readers) await query(`UPDATE ${name} SET cursor = ${POSITION}`)
  await query(RUNS)
  await query('COMMIT')
}

/** Makes transactions until the next number is higher than that of all runs. */
export async function reserveNumbers(query: Query, runs: number): Promise<void> {
  const [row] = await query<{ next: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot())::text AS next')
  const missing = runs + 1 - Number(row?.next)
  if (missing > 0)
    await query(`DO $$ BEGIN
      FOR n IN 1..${missing} LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;
    END $$`)
}
