import { DatabaseSync } from 'node:sqlite'
import { setImmediate as immediate } from 'node:timers/promises'

import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'

import { nextTurn } from '../async/index.ts'
import { requireSameFiles } from '../file-identity.ts'
import { connectionTurns, type ConnectionTurns } from './connection-turns.ts'
import { runStatement } from './run-statement.ts'
import { execute, isQuery, setUpConnection, statementCache } from './sqlite-connection.ts'
import { statementThread, type StatementThread } from './statement-thread.ts'

/**
 * All rows outside the log. A module declares its tables with `db.withTables<…>()`.
 *
 * @example
 * const rowsOf = (db: Database) =>
 *   db.withTables<{ rolls: { value: number } }>().selectFrom('rolls').select('value').execute()
 */
export type Database = Kysely<unknown>

/** What a statement of so many ms has read is large: what is done with it next takes as long. */
const LONG_MS = 5
/** After so many ms of statements, a transaction gives the event loop a turn. The log waits for its end. */
const MAX_BUSY_MS = 16

/** Opens (or makes) an SQLite file in WAL mode; `:memory:` for none. Close it with `destroy()`. */
export function openDatabase(file: string): Database {
  return file === ':memory:' ? toDatabase(new DatabaseSync(file)) : openDatabaseFile(file).db
}

/**
 * Opens a file. `onWrite` is called before each statement that writes, and `requireFiles` throws if no statement can
 * write: see `requireSameFiles`.
 */
export function openDatabaseFile(file: string, onWrite: () => void = () => undefined) {
  const writer = new DatabaseSync(file, { timeout: 5000 })
  const ask = (text: string) => (writer.isTransaction ? undefined : writer.prepare(text).get())
  const requireFiles = requireSameFiles(file, ask)
  setUpConnection(writer)
  const reader = new DatabaseSync(file, { timeout: 5000 })
  setUpConnection(reader)
  reader.exec('PRAGMA query_only = ON')
  const beforeWrite = (): void => {
    requireFiles()
    onWrite()
  }
  const thread = statementThread(file)
  const db = toKysely({
    writer: openLine(writer, beforeWrite),
    reader: openLine(reader, beforeWrite),
    close: async () => {
      await thread.close()
      reader.close()
      writer.close()
    },
  })
  const line = threadLine(thread, beforeWrite)
  largeDatabases.set(db, toKysely({ writer: line, reader: line, close: thread.close }))
  return { db, requireFiles }
}

/** A database with one connection, as one in memory has. */
export function toDatabase(writer: DatabaseSync): Database {
  setUpConnection(writer)
  const line = openLine(writer, () => undefined)
  return toKysely({ writer: line, reader: line, close: async () => writer.close() })
}

const largeDatabases = new WeakMap<Database, Database>()

/**
 * The same database for transactions that write megabytes: a file's run on a thread of their own, where they hold
 * nothing else up. Other statements than those of a transaction are refused there.
 */
export function forLargeRows(db: Database): Database {
  return largeDatabases.get(db) ?? db
}

/** Connections, and what closes them. */
type Lines = { readonly writer: Line; readonly reader: Line; readonly close: () => Promise<void> }

function toKysely(lines: Lines): Database {
  return new Kysely({
    dialect: {
      createAdapter: () => new AdapterOfTurns(),
      createDriver: () => driver(lines),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

/** With one connection, Kysely would let all queries wait in the order of their arrival. See `connectionTurns`. */
class AdapterOfTurns extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }
}

/** A connection to a file, which is used in turns. */
interface Line extends ConnectionTurns {
  /** `ms`: how long it held this thread. */
  run<R>(query: CompiledQuery): Promise<{ readonly value: QueryResult<R>; readonly ms: number }>
  /** Whether a failed transaction is still to be ended: SQLite ends some by itself (disk full). */
  mayRollBack(): boolean
}

/** `beforeWrite` throws if nothing may be written. */
function openLine(sqlite: DatabaseSync, beforeWrite: () => void): Line {
  const prepare = statementCache(sqlite)
  return {
    ...connectionTurns(),
    mayRollBack: () => sqlite.isTransaction,
    run: <R>(query: CompiledQuery) =>
      runStatement(() => {
        const statement = prepare(query.sql)
        if (!statement.isQuery) beforeWrite()
        return execute<R>(statement, query)
      }),
  }
}

function threadLine(thread: StatementThread, beforeWrite: () => void): Line {
  return {
    ...connectionTurns(),
    mayRollBack: () => true,
    run: <R>(query: CompiledQuery) =>
      runStatement(() => {
        if (!isQuery(query.sql)) beforeWrite()
        return thread.run(query) as Promise<QueryResult<R>>
      }),
  }
}

type TurnConnection = DatabaseConnection & { begin(): Promise<void>; release(): void }

/** Queries outside a transaction read on a line of their own: they do not wait for those who wait to write. */
function turnConnection(writer: Line, reader: Line): TurnConnection {
  let isWriting = false
  let busyMs = 0
  const runInTurn = async <R>(query: CompiledQuery) => {
    const line = isQuery(query.sql) ? reader : writer
    await line.acquire()
    try {
      return await line.run<R>(query)
    } finally {
      line.release()
    }
  }
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const { value, ms } = await (isWriting ? writer.run<R>(query) : runInTurn<R>(query))
      busyMs += ms
      if (isWriting && busyMs >= MAX_BUSY_MS) {
        await immediate()
        busyMs = 0
      } else if (!isWriting && ms >= LONG_MS) await nextTurn()
      return value
    },
    // Immediate: the place in the writers' queue is taken at once, so no statement in the middle finds the file busy.
    async begin() {
      await writer.acquire()
      isWriting = true
      busyMs = 0
      await writer.run(CompiledQuery.raw('begin immediate'))
    },
    release() {
      if (isWriting) writer.release()
      isWriting = false
    },
    streamQuery: () => {
      throw new Error('Rows are not streamed from SQLite here: read a page at a time.')
    },
  }
}

function driver({ writer, reader, close }: Lines): Driver {
  const run = async (connection: DatabaseConnection, statement: string): Promise<void> => {
    await connection.executeQuery(CompiledQuery.raw(statement))
  }
  return {
    init: async () => undefined,
    acquireConnection: async () => turnConnection(writer, reader),
    beginTransaction: (connection) => (connection as TurnConnection).begin(),
    commitTransaction: (connection) => run(connection, 'commit'),
    rollbackTransaction: async (connection) =>
      writer.mayRollBack() ? run(connection, 'rollback') : undefined,
    releaseConnection: async (connection) => (connection as TurnConnection).release(),
    destroy: close,
  }
}
