import { nanoid } from 'nanoid'
import { Client } from 'pg'

import { openPostgres, type PostgresLog } from './index.ts'

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

/** Two nodes on one new database. */
export async function openTwoNodes(): Promise<{
  readonly nodes: readonly [PostgresLog, PostgresLog]
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
