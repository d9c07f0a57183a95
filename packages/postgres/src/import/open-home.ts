import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

import { ServiceError } from 'dragoman/errors'

export type Value = string | number | null | Uint8Array
export type Row = Readonly<Record<string, Value>>

/** The database of a home. While it is open, no server can use it. */
export interface Home {
  /** Its tables, without those of full-text indexes, and their columns. */
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>
  /** The rows of a query, one at a time. */
  rows(text: string, ...values: SQLInputValue[]): Iterable<Row>
  close(): void
}

const COLUMNS = `
SELECT t.name AS name, c.name AS field FROM pragma_table_list t JOIN pragma_table_xinfo(t.name) c
WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite_%' AND c.hidden = 0`

/** @throws ServiceError `conflict` if another program uses the database */
export function openHome(file: string): Home {
  const sqlite = new DatabaseSync(file)
  const rows = (text: string, ...values: SQLInputValue[]): Iterable<Row> =>
    sqlite.prepare(text).iterate(...values) as Iterable<Row>
  try {
    sqlite.exec('PRAGMA locking_mode = EXCLUSIVE')
    const tables = new Map<string, Set<string>>()
    for (const { name, field } of rows(COLUMNS)) {
      const fields = tables.get(String(name)) ?? new Set()
      tables.set(String(name), fields.add(String(field)))
    }
    return { tables, rows, close: () => sqlite.close() }
  } catch (cause) {
    sqlite.close()
    throw new ServiceError('conflict', `${file} is in use or cannot be read: stop its server first.`, {
      cause,
    })
  }
}

/** The first value of a query's first row. */
export function readNumber(home: Home, text: string, ...values: SQLInputValue[]): number {
  for (const row of home.rows(text, ...values)) return Number(Object.values(row)[0] ?? 0)
  return 0
}
