import type { Query } from '../store/sql.ts'
import type { Row } from './open-home.ts'
import type { TableMove } from './table-moves.ts'
import { quoted } from './target-tables.ts'

const MAX_PAGE_ROWS = 2000
const MAX_PAGE_CHARACTERS = 1024 * 1024

/** Writes the rows of a table. The next page is read while the database writes. Returns how many rows had a NUL. */
export async function copyTable(
  query: Query,
  move: TableMove,
  onRows: (count: number) => void,
): Promise<number> {
  const table = quoted(move.table)
  const columns = move.columns.map(({ name }) => quoted(name)).join(', ')
  const insert = `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE
    SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`
  let nulRows = 0
  let writing: Promise<unknown> = Promise.resolve()
  for (const page of pagesOf(move.rows(() => (nulRows += 1)))) {
    const values = toJson(page, move)
    await writing
    writing = query(insert, values)
    onRows(page.length)
  }
  await writing
  return nulRows
}

/** Pages of so many rows that one fits in memory. */
export function* pagesOf(rows: Iterable<Row>): Generator<readonly Row[]> {
  let page: Row[] = []
  let characters = 0
  for (const row of rows) {
    page.push(row)
    for (const value of Object.values(row)) {
      if (typeof value === 'string') characters += value.length
      else if (value instanceof Uint8Array) characters += 2 * value.length
    }
    if (page.length < MAX_PAGE_ROWS && characters < MAX_PAGE_CHARACTERS) continue
    yield page
    page = []
    characters = 0
  }
  if (page.length > 0) yield page
}

/** JSON has neither bytes nor an infinite number. */
export function toJson(rows: readonly Row[], { columns }: Pick<TableMove, 'columns'>): string {
  const special = columns.filter(({ type }) => type === 'bytea' || type === 'double precision')
  if (special.length === 0) return JSON.stringify(rows)
  return JSON.stringify(
    rows.map((row) => {
      const texts = special.map(({ name }) => [name, textOf(row[name] ?? null)])
      return { ...row, ...(Object.fromEntries(texts) as object) }
    }),
  )
}

function textOf(value: Row[string] | null): Row[string] | null {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return typeof value === 'number' && !Number.isFinite(value) ? String(value) : (value ?? null)
}
