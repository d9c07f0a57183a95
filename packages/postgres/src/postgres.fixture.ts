import { nanoid } from 'nanoid'
import { Client } from 'pg'

import type { Database } from 'dragoman/database'

import { createPool } from './client/pool.ts'
import { openPostgres, type PostgresStorage } from './index.ts'
import { openRows } from './rows/open-rows.ts'

/** The server under test. Each test makes a database of its own. */
const NAMED_URL = process.env['DRAGOMAN_TEST_DATABASE_URL']
const SERVER_URL = NAMED_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Whether there is a server to test with. One that is named must answer. */
export async function hasServer(): Promise<boolean> {
  if (NAMED_URL !== undefined) return true
  return onServer('SELECT 1').then(
    () => true,
    () => false,
  )
}

export type TestDatabase = {
  readonly url: string
  readonly query: (statement: string) => Promise<void>
  readonly drop: () => Promise<void>
}

export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `dragoman_test_${nanoid(10).toLowerCase().replaceAll('-', '_')}`
  await onServer(`CREATE DATABASE ${name}`)
  const url = new URL(SERVER_URL)
  url.pathname = `/${name}`
  return {
    url: url.href,
    query: (statement) => run(url.href, statement),
    drop: () => onServer(`DROP DATABASE ${name} WITH (FORCE)`),
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
  const { url, drop } = await createTestDatabase()
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

function onServer(statement: string): Promise<void> {
  return run(SERVER_URL, statement)
}

async function run(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  await client.connect()
  await client.query(statement)
  await client.end()
}
