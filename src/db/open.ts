import { DatabaseSync, type SQLInputValue } from 'node:sqlite'

import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'

/** Rows of all that is not the log. Whoever owns tables says so by `db.withTables<…>()`. */
export type Database = Kysely<unknown>

/** Another connection may hold the file for as long as this before we give up, in ms. */
const BUSY_LIMIT_MS = 10_000
const BUSY_PAUSE_MS = 5

/** Opens (or makes) an SQLite file in WAL mode; `:memory:` for none. Close it with `destroy()`. */
export function openDatabase(file: string): Database {
  const sqlite = new DatabaseSync(file, { timeout: 5000 })
  // No checkpoints from here: this connection stands on the streams' thread. The log's thread makes them.
  sqlite.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0',
  )
  return new Kysely({ dialect: nodeSqlite(sqlite) })
}

function nodeSqlite(sqlite: DatabaseSync): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => driver(sqlite),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

/** Kysely lets one at a time use the connection: the adapter says that there is but one. */
function driver(sqlite: DatabaseSync): Driver {
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery) => whenFree(() => execute<R>(sqlite, query)),
    streamQuery: () => {
      throw new Error('Rows are not streamed from SQLite here: read a page at a time.')
    },
  }
  const run = async (words: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(words))
  }
  return {
    init: async () => undefined,
    acquireConnection: async () => connection,
    // Immediate: the place in the writers' queue is taken at once, so no statement in the middle finds the file busy.
    beginTransaction: () => run('begin immediate'),
    commitTransaction: () => run('commit'),
    rollbackTransaction: () => run('rollback'),
    releaseConnection: async () => undefined,
    destroy: async () => sqlite.close(),
  }
}

function execute<R>(sqlite: DatabaseSync, query: CompiledQuery): QueryResult<R> {
  const statement = sqlite.prepare(query.sql)
  const parameters = query.parameters as readonly SQLInputValue[]
  if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

/** Tries again by a timer while another connection writes: a synchronous wait would hold up every stream. */
async function whenFree<T>(attempt: () => T): Promise<T> {
  const until = performance.now() + BUSY_LIMIT_MS
  for (;;) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS))
    }
  }
}

/** SQLITE_BUSY is 5; its extended codes have it in their low byte. https://www.sqlite.org/rescode.html */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5
}
