import type pg from 'pg'

import { isConnectionError, retryWhileAway } from '../client/connection-errors.ts'
import { takeConnection } from '../client/pool.ts'
import { createStatementNames } from '../client/statement-names.ts'
import { withoutNul } from '../client/without-nul.ts'

/** What the store's functions need of the database. */
export interface Sql {
  /** Runs a statement that may be repeated, again while the database is away. @throws ServiceError `unavailable` */
  all<Row extends pg.QueryResultRow>(text: string, ...values: readonly unknown[]): Promise<Row[]>
  /**
   * Runs a statement once, which is made when there is a connection for it. Nothing is run if it is undefined.
   * @throws the connection's error: then it may have been committed
   */
  once<Row extends pg.QueryResultRow>(make: () => Statement | undefined): Promise<Row[]>
  /** Runs statements in one transaction that may be repeated. */
  transaction<T>(act: (query: Query) => Promise<T>): Promise<T>
}

/** With a name it is parsed once for each connection. */
type Statement = { readonly name: string | undefined; readonly text: string; readonly values: unknown[] }

export type Query = <Row extends pg.QueryResultRow>(
  text: string,
  ...values: readonly unknown[]
) => Promise<Row[]>

const MAX_NAMES = 200

export function createSql(pool: pg.Pool): Sql {
  const names = createStatementNames('dragoman-log', MAX_NAMES)
  const run = async <T>(act: (query: Query) => Promise<T>): Promise<T> => {
    const client = await takeConnection(() => pool.connect())
    try {
      await client.query('BEGIN')
      const result = await act(async (text, ...values) => (await client.query(text, [...values])).rows)
      await client.query('COMMIT')
      client.release()
      return result
    } catch (error) {
      // A connection whose transaction failed is not used again: its state is unknown.
      client.release(true)
      throw error
    }
  }
  const once: Sql['once'] = async (make) => {
    const client = await takeConnection(() => pool.connect())
    try {
      const statement = make()
      const rows = statement ? (await client.query(statement)).rows : []
      client.release()
      return rows
    } catch (error) {
      client.release(isConnectionError(error))
      throw error
    }
  }
  return {
    all<Row extends pg.QueryResultRow>(text: string, ...parameters: readonly unknown[]) {
      const values = parameters.map(withoutNul)
      const ask = (name: string | undefined) => once<Row>(() => ({ name, text, values }))
      return retryWhileAway(() => names.run(text, ask))
    },
    once,
    transaction: (act) => retryWhileAway(() => run(act)),
  }
}
