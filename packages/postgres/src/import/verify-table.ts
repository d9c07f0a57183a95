import { ServiceError } from 'dragoman/errors'

import type { Query } from '../store/sql.ts'
import { pagesOf, toJson } from './copy-table.ts'
import type { Row, Value } from './open-home.ts'
import type { TableMove } from './table-moves.ts'
import { quoted } from './target-tables.ts'

/** Without statistics, a page's rows could be looked up by a scan of the whole table. */
const BY_INDEX =
  'SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off'
const BY_COST =
  'SET LOCAL enable_seqscan = on; SET LOCAL enable_hashjoin = on; SET LOCAL enable_mergejoin = on'

/**
 * Reads each row of a table back by its key, and compares all its columns.
 * @throws ServiceError `conflict` with the table's name and the key of the first row that differs
 */
export async function verifyTable(
  query: Query,
  move: TableMove,
  onRows: (count: number) => void,
): Promise<void> {
  const table = quoted(move.table)
  const keys = move.columns.filter(({ isKey }) => isKey)
  const columns = move.columns.map(({ name }) => `t.${quoted(name)}`).join(', ')
  const isSameKey = keys.map(({ name }) => `t.${quoted(name)} = k.${quoted(name)}`).join(' AND ')
  const select = `SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json) k
    JOIN ${table} t ON ${isSameKey}`
  const keyOf = (row: Row): string => JSON.stringify(keys.map(({ name }) => row[name]))
  await query(BY_INDEX)
  let count = 0
  for (const page of pagesOf(move.rows(() => undefined))) {
    const pageKeys = page.map((row) => Object.fromEntries(keys.map(({ name }) => [name, row[name] ?? null])))
    const rows = await query<Row>(select, toJson(pageKeys, { columns: keys }))
    const byKey = new Map(rows.map((row) => [keyOf(row), row]))
    for (const row of page) compare(move, { key: keyOf(row), row, found: byKey.get(keyOf(row)) })
    count += page.length
    onRows(page.length)
  }
  await query(BY_COST)
  const [stored] = await query<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)
  if (stored?.count !== count || count !== move.count)
    throw different(move.table, `it has ${stored?.count} rows of ${move.count}`)
}

type Pair = { readonly key: string; readonly row: Row; readonly found: Row | undefined }

function compare({ table, columns }: TableMove, { key, row, found }: Pair): void {
  if (!found) throw different(table, `the row ${key} is missing`)
  const other = columns.find(({ name }) => !isSame(row[name] ?? null, found[name] ?? null))
  if (other) throw different(table, `the row ${key} has another ${other.name}`)
}

function isSame(value: Value, found: Value): boolean {
  if (value instanceof Uint8Array && found instanceof Uint8Array) return Buffer.compare(value, found) === 0
  return value === found
}

function different(table: string, problem: string): ServiceError {
  return new ServiceError(
    'conflict',
    `The table ${table} did not arrive as it was: ${problem}. Nothing was moved.`,
  )
}
