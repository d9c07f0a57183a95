import { nanoid } from 'nanoid'
import { Client } from 'pg'

import type { Database } from 'dragoman/database'

import { createPool } from './client/pool.ts'
import { openPostgres, type PostgresStorage } from './index.ts'
import { openRows } from './rows/open-rows.ts'
import { TEMPLATE } from './template.fixture.ts'

/** The server under test. Each test makes a database of its own. */
const NAMED_URL = process.env['DRAGOMAN_TEST_DATABASE_URL']
/** Where there is a server for this test run only. It starts when a test asks for its URL. */
const STARTER = process.env['DRAGOMAN_TEST_STARTER']

/** Whether there is a server to test with. */
export const hasServer = NAMED_URL !== undefined || STARTER !== undefined

export type TestDatabase = {
  readonly url: string
  readonly query: (statement: string) => Promise<void>
  readonly drop: () => Promise<void>
}

/** A new database with the tables of the log and of the core; `isEmpty` for one without tables. */
export async function createTestDatabase({ isEmpty = false } = {}): Promise<TestDatabase> {
  const { client, serverUrl } = await administer()
  const name = `dragoman_test_${nanoid(10).toLowerCase().replaceAll('-', '_')}`
  const template = isEmpty || NAMED_URL !== undefined ? 'template1' : TEMPLATE
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: (statement) => run(url.href, statement),
    async drop() {
      const dropped = client.query(`DROP DATABASE ${name} WITH (FORCE)`)
      if (NAMED_URL !== undefined) await dropped
      // The server ends with this run, and with it what it has not yet dropped.
      else dropped.catch(() => undefined)
    },
  }
}

/** The storage of one node on a new database. `close` drops the database. */
export async function openTestStorage(): Promise<PostgresStorage> {
  const { url, drop } = await createTestDatabase()
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

/** A new database for rows alone. `destroy` drops it. */
export async function openTestDatabase(): Promise<Database> {
  const { url, drop } = await createTestDatabase({ isEmpty: true })
  const pool = createPool(url, MAX_CONNECTIONS)
  const database = openRows(pool)
  const destroy = async (): Promise<void> => {
    await pool.end()
    await drop()
  }
  return Object.assign(database, { destroy })
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

type Administration = { readonly client: Client; readonly serverUrl: string }
let administration: Promise<Administration> | undefined

/** The connection by which this process creates and drops all its databases. */
function administer(): Promise<Administration> {
  administration ??= connect()
  return administration
}

async function connect(): Promise<Administration> {
  const serverUrl = NAMED_URL ?? (await startServer())
  const client = new Client(serverUrl)
  client.on('error', () => undefined)
  await client.connect()
  return { client, serverUrl }
}

async function startServer(): Promise<string> {
  if (STARTER === undefined) throw new Error('There is no PostgreSQL to test with.')
  const response = await fetch(STARTER)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
