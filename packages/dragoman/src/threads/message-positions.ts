import { sql } from 'kysely'

import { dialectOf } from '../database/index.ts'
import type { ThreadDatabase } from './tables.ts'

/** Rows to insert, each with the next position. PostgreSQL gives them while it inserts the rows, in their order. */
export async function placeNext<Row extends object>(
  trx: ThreadDatabase,
  rows: readonly Row[],
): Promise<readonly (Row & { readonly position: number })[]> {
  const positions = dialectOf(trx) === 'sqlite' ? await nextPositions(trx, rows.length) : []
  return rows.map((row, at) => Object.assign({}, row, { position: positions[at] as number }))
}

/**
 * Positions after those of all messages. PostgreSQL's transactions overlap, so they come from a sequence there, and a
 * transaction that is rolled back leaves a gap.
 */
export async function nextPositions(trx: ThreadDatabase, count: number): Promise<readonly number[]> {
  if (dialectOf(trx) === 'sqlite') {
    const highest = trx.selectFrom('chat_messages').select(({ fn }) => fn.max('position').as('position'))
    const { position } = (await highest.executeTakeFirst()) ?? {}
    return Array.from({ length: count }, (_, at) => (position ?? 0) + at + 1)
  }
  const { rows } = await sql<{ position: number }>`
    SELECT nextval(pg_get_serial_sequence('chat_messages', 'position')) AS position
    FROM generate_series(1, ${count}::bigint)`.execute(trx)
  return rows.map(({ position }) => position)
}
