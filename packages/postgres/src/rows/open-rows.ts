import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type CompiledQuery,
  type Driver,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'

import type { Database } from 'dragoman/database'

import { isConnectionError, retryWhileAway, unavailable } from '../client/connection-errors.ts'
import { takeConnection } from '../client/pool.ts'
import { createStatementNames, type StatementNames } from '../client/statement-names.ts'
import { withoutNul } from '../client/without-nul.ts'

/** Statements with lists of values have many texts. */
const MAX_NAMES = 500

/** A pool, or what stands for one. */
export type RowConnections = {
  connect(): Promise<{
    query(config: pg.QueryConfig): Promise<pg.QueryResult>
    release(isBroken?: boolean): void
  }>
}
type RowClient = Awaited<ReturnType<RowConnections['connect']>>

/** All rows outside the log. `destroy` leaves the pool open: the caller who opened it closes it. */
export function openRows(pool: RowConnections): Database {
  return new Kysely({ dialect: poolDialect(pool) })
}

function poolDialect(pool: RowConnections): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => createDriver(pool),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

type Connection = DatabaseConnection & {
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
}

function createDriver(pool: RowConnections): Driver {
  const names = createStatementNames('dragoman-rows', MAX_NAMES)
  const open = new WeakMap<DatabaseConnection, Connection>()
  const of = (connection: DatabaseConnection): Connection => {
    const own = open.get(connection)
    if (!own) throw new Error('This connection is not of this driver.')
    return own
  }
  return {
    init: async () => undefined,
    async acquireConnection() {
      const connection = createConnection(pool, names)
      open.set(connection, connection)
      return connection
    },
    beginTransaction: (connection) => of(connection).begin(),
    commitTransaction: (connection) => of(connection).commit(),
    rollbackTransaction: (connection) => of(connection).rollback(),
    releaseConnection: async (connection) => of(connection).release(),
    destroy: async () => undefined,
  }
}

/** One use of the pool: a statement, or a transaction. Its client is taken at the first statement. */
function createConnection(pool: RowConnections, names: StatementNames): Connection {
  let client: RowClient | undefined
  let isInTransaction = false
  const connect = async (): Promise<RowClient> => {
    // What the server had begun for a lost connection is rolled back.
    if (isInTransaction) throw new Error('Connection terminated during the transaction.')
    return takeConnection(() => pool.connect())
  }
  const query = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    const held = (client ??= await connect())
    const ask = (name: string | undefined) =>
      held.query({ text, values: values.map(withoutNul), ...(name !== undefined && { name }) })
    try {
      return await names.run(text, ask, { isInTransaction })
    } catch (error) {
      if (isConnectionError(error)) {
        held.release(true)
        client = undefined
      }
      throw error
    }
  }
  /** Waits for a connection, but runs the statement once: it may have been committed when the connection was lost. */
  const once = async (text: string, values: readonly unknown[]): Promise<pg.QueryResult> => {
    client ??= isInTransaction ? undefined : await retryWhileAway(connect)
    return query(text, values).catch((error: unknown) => {
      throw isConnectionError(error) ? unavailable(error) : error
    })
  }
  return {
    async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
      const { sql, parameters } = compiled
      const canRepeat = !isInTransaction && isRead(compiled)
      const result = await (canRepeat ? retryWhileAway(() => query(sql, parameters)) : once(sql, parameters))
      return toResult<Row>(result)
    },
    async begin() {
      await retryWhileAway(() => query('BEGIN', []))
      isInTransaction = true
    },
    async commit() {
      await once('COMMIT', [])
      isInTransaction = false
    },
    async rollback() {
      if (client) await once('ROLLBACK', [])
      isInTransaction = false
    },
    release() {
      client?.release()
      client = undefined
    },
    streamQuery: () => {
      throw new Error('Rows are not streamed from PostgreSQL here: read a page at a time.')
    },
  }
}

function isRead({ query, sql }: CompiledQuery): boolean {
  return query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && /^\s*SELECT\b/i.test(sql))
}

const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

function toResult<Row>({ command, rowCount, rows }: pg.QueryResult): QueryResult<Row> {
  return {
    rows: rows as Row[],
    ...(CHANGES.has(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
  }
}
