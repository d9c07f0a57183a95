import { nanoid } from 'nanoid'
import { Client } from 'pg'

import type { Database } from 'dragoman/database'

import { createPool } from './client/pool.ts'
import { openPostgres, type PostgresStorage } from './index.ts'
import { openRows } from './rows/open-rows.ts'
import type { DatabaseKind } from './test-databases.fixture.ts'

/** Where a test run gets its databases: test/support/test-databases.ts. */
const DATABASES = process.env['DRAGOMAN_TEST_DATABASES']

/** Whether there is a server to test with. */
export const hasServer = DATABASES !== undefined

export type TestDatabase = {
  readonly url: string
  /** `onRow` gets each row of the answer. */
  readonly query: (statement: string, onRow?: (row: unknown) => void) => Promise<void>
  readonly drop: () => Promise<void>
}

/** A database with the tables of the log and of the core, or without tables if `isEmpty`. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  return open(isEmpty ? 'empty' : 'new')
}

async function open(kind: DatabaseKind): Promise<TestDatabase> {
  const name = `dragoman_test_${nanoid(10).toLowerCase().replaceAll('-', '_')}`
  const url = await request('PUT', `${name}?kind=${kind}`)
  return { url, query: (statement, onRow) => run(url, statement, onRow), drop: () => dropNamedDatabase(name) }
}

/** The URL of the database of that name, which is opened at first use. */
export function openNamedDatabase(name: string): Promise<string> {
  return request('PUT', `${name}?kind=shared`)
}

/** Does nothing if there is none of that name. */
export async function dropNamedDatabase(name: string): Promise<void> {
  await request('DELETE', name)
}

/** The storage of one node on a database of its own. `close` drops the database. */
export async function openTestStorage(): Promise<PostgresStorage> {
  const { url, drop } = await open('shared')
  const storage = await openPostgres(url)
  return {
    ...storage,
    async close() {
      await storage.close()
      await drop()
    },
  }
}

/** As many writers of a test can overlap. */
const MAX_CONNECTIONS = 16

/** A database for rows alone, which has the tables of all agents. `destroy` drops it. */
export async function openTestDatabase(): Promise<Database> {
  const { url, drop } = await open('shared')
  return openDatabaseAt(url, drop)
}

/** The rows of a database. `destroy` closes its connections once, and then does what `after` says. */
export function openDatabaseAt(url: string, after = async (): Promise<void> => undefined): Database {
  const pool = createPool(url, MAX_CONNECTIONS)
  let end: Promise<void> | undefined
  const destroy = (): Promise<void> => (end ??= pool.end().then(after))
  return Object.assign(openRows(pool), { destroy })
}

/** Two nodes on one new database. */
export async function openTwoNodes(): Promise<{
  readonly nodes: readonly [PostgresStorage, PostgresStorage]
  readonly url: string
  readonly close: () => Promise<void>
}> {
  const { url, drop } = await createTestDatabase()
  const nodes = [await openPostgres(url), await openPostgres(url)] as const
  return {
    nodes,
    url,
    async close() {
      await Promise.all(nodes.map((node) => node.close()))
      await drop()
    },
  }
}

async function request(method: string, path: string): Promise<string> {
  if (DATABASES === undefined) throw new Error('There is no PostgreSQL to test with.')
  const response = await fetch(`${DATABASES}/${path}`, { method })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

async function run(url: string, statement: string, onRow?: (row: unknown) => void): Promise<void> {
  const client = new Client(url)
  await client.connect()
  try {
    // Several statements have several results.
    const results = [await client.query<Record<string, unknown>>(statement)].flat()
    for (const row of results.flatMap(({ rows }) => rows)) onRow?.(row)
  } finally {
    await client.end()
  }
}
