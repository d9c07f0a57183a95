import type { Database, Migration } from 'dragoman/database'

import { copyTable } from './copy-table.ts'
import { openHome, readNumber, type Home } from './open-home.ts'
import { createTables, openTarget, type Target } from './open-target.ts'
import { reserveNumbers } from '../store/renumber-changes.ts'
import { planMoves, type TableMove } from './table-moves.ts'
import { continueNumbers, quoted, readColumns, suspendChecks } from './target-tables.ts'
import { verifyTable } from './verify-table.ts'

/** How far the rows of a table are copied, and then verified. */
export type ImportProgress = {
  readonly step: 'copy' | 'verify'
  readonly table: string
  readonly rows: number
  readonly count: number
}

export type ImportOptions = {
  /** The database file of a home, with the tables of this version. */
  readonly file: string
  readonly url: string
  readonly migrations: readonly Migration[]
  /** Writes what follows from the rows, in the same transaction. */
  readonly complete: (database: Database) => Promise<void>
  readonly report: (progress: ImportProgress) => void
}

export type ImportResult = {
  readonly tables: readonly { readonly table: string; readonly rows: number }[]
  /** Rows in which a NUL was replaced. */
  readonly nulRows: number
  /** Tables that have rows, and that the migrations do not create. */
  readonly strangers: readonly string[]
}

/**
 * Moves the database of a home into an empty one of PostgreSQL, and verifies each row. All of it is one transaction: if
 * the process or a connection ends, the database is as empty as before. The home keeps its rows.
 * @throws ServiceError that says what must change, and the connection's error
 */
export async function importHome(options: ImportOptions): Promise<ImportResult> {
  const home = openHome(options.file)
  try {
    const target = await openTarget(options.url)
    try {
      return await importInto(target, home, options)
    } finally {
      await target.close()
    }
  } finally {
    home.close()
  }
}

async function importInto(
  target: Target,
  home: Home,
  { migrations, complete, report }: ImportOptions,
): Promise<ImportResult> {
  const { query } = target
  // The feed of changes has the runs of a home at the numbers 1, 2, ….
  await reserveNumbers(query, readNumber(home, 'SELECT count(*) FROM run_states'))
  await createTables(target, migrations)
  const columns = await readColumns(query)
  const { moves, strangers } = planMoves(home, columns)
  const meter = (step: ImportProgress['step'], { table, count }: TableMove) => {
    let rows = 0
    return (more: number): void => report({ step, table, rows: (rows += more), count })
  }
  const restoreChecks = await suspendChecks(query)
  let nulRows = 0
  for (const move of moves) nulRows += await copyTable(query, move, meter('copy', move))
  await restoreChecks()
  for (const column of columns)
    if (column.isIdentity) await continueNumbers(query, column, lastNumber(home, column.table))
  for (const { table } of moves) await query(`ANALYZE ${quoted(table)}`)
  for (const move of moves) await verifyTable(query, move, meter('verify', move))
  await complete(target.database)
  await query('COMMIT')
  return { tables: moves.map(({ table, count: rows }) => ({ table, rows })), nulRows, strangers }
}

/** The highest number that SQLite gave, also to a row that was deleted since. */
function lastNumber(home: Home, table: string): number {
  const counts = "SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'"
  if (readNumber(home, counts) === 0) return 0
  return readNumber(home, 'SELECT seq FROM sqlite_sequence WHERE name = ?', table)
}
