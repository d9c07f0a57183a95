import type { Sql } from './sql-port.ts'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

import { createStateCache } from './state-cache.ts'
import { ADDED_INDEXES, ADDED_COLUMNS, SCHEMA } from './schema.ts'
import { partOfThread } from '../rows/index.ts'

/** The first to open a file makes it: the others wait so long, in ms, with pauses where SQLite does not wait itself. */
const OPENING_MS = 5000
const PAUSE_MS = 5

/** Opens the file of a log, and makes or updates its tables. Statements wait for no other writer. */
export function openSql(file: string, now: () => number = Date.now): Sql {
  // Two processes may make the file at once: while opening, and only then, we wait for each other.
  const db = connect(file)
  bringUp(db)
  db.exec('PRAGMA busy_timeout = 0')
  return toSql(db, now)
}

/** Opens a file that has its tables. Statements wait `busyMs` ms for another writer. */
export function connectSql(file: string, { busyMs }: { readonly busyMs: number }): Sql {
  const db = connect(file)
  db.exec(`PRAGMA busy_timeout = ${busyMs}`)
  return toSql(db, Date.now)
}

function connect(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: OPENING_MS })
  writeAhead(db)
  // Checkpoints are made between commits (see checkpoint-worker.ts), never by the commit that happens to fill the log.
  db.exec(
    `PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864;
     PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON`,
  )
  db.function('part_of_thread', { deterministic: true }, (threadId, parts) =>
    partOfThread(String(threadId), Number(parts)),
  )
  return db
}

function toSql(db: DatabaseSync, now: () => number): Sql {
  const prepared = new Map<string, StatementSync>()
  const prepare = (text: string): StatementSync => {
    const statement = prepared.get(text) ?? db.prepare(text)
    prepared.set(text, statement)
    return statement
  }
  const one = <Row>(text: string, ...values: SQLInputValue[]): Row | undefined =>
    prepare(text).get(...values) as Row | undefined
  const change: Sql['change'] = (text, ...values) => prepare(text).run(...values)
  return {
    states: createStateCache({ one, change }),
    all: <Row>(text: string, ...values: SQLInputValue[]) => prepare(text).all(...values) as Row[],
    until<Row>(isLast: (row: Row) => boolean, text: string, ...values: SQLInputValue[]) {
      const rows: Row[] = []
      for (const row of prepare(text).iterate(...values) as Iterable<Row>) {
        rows.push(row)
        if (isLast(row)) break
      }
      return rows
    },
    one,
    change,
    exec: (text) => db.exec(text),
    inTransaction: () => db.isTransaction,
    now,
    close: () => db.close(),
  }
}

/**
 * Of two that turn a new file to its write-ahead log at once SQLite refuses one without waiting, whatever its
 * timeout.
 */
function writeAhead(db: DatabaseSync): void {
  for (const end = Date.now() + OPENING_MS; ; pauseThread()) {
    try {
      return db.exec('PRAGMA journal_mode = WAL')
    } catch (error) {
      if (!isBusy(error) || Date.now() > end) throw error
    }
  }
}

/** SQLITE_BUSY is 5; its extended codes have it in their low byte. https://www.sqlite.org/rescode.html */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}

function pauseThread(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
}

/** Makes what is not there yet; a file of an earlier version gets what it lacks. All or none. */
function bringUp(db: DatabaseSync): void {
  db.exec(`BEGIN IMMEDIATE; ${SCHEMA}`)
  const columns = db.prepare('SELECT name FROM pragma_table_info(?)')
  for (const { table, column, add } of ADDED_COLUMNS) {
    if (!columns.all(table).some(({ name }) => name === column)) db.exec(add)
  }
  db.exec(`${ADDED_INDEXES} COMMIT`)
}
