import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { DatabaseKind, TestDatabases } from '../../packages/postgres/src/test-databases.fixture.ts'
import { hasPostgres, startPostgres, type PostgresServer } from './postgres-server.ts'

const NAMED_URL = process.env['DRAGOMAN_TEST_DATABASE_URL']

let http: Server | undefined
let postgres: PostgresServer | undefined
let databases: Promise<TestDatabases> | undefined

/**
 * Serves databases to the processes of a test run, at the address in `DRAGOMAN_TEST_DATABASES`. Unless a server is
 * named, the first request starts one for the run.
 */
export async function setup(): Promise<void> {
  if (NAMED_URL === undefined && !hasPostgres()) {
    if (process.env['DRAGOMAN_TEST_DATABASE'] !== 'postgres') return
    throw new Error('npm has no PostgreSQL for this machine: set POSTGRES_BIN or DRAGOMAN_TEST_DATABASE_URL.')
  }
  http = createServer(answer).listen(0, '127.0.0.1')
  await once(http, 'listening')
  process.env['DRAGOMAN_TEST_DATABASES'] = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

export async function teardown(): Promise<void> {
  http?.close()
  http?.closeAllConnections()
  await (await databases)?.close()
  await postgres?.stop()
}

/** `PUT /name?kind=…` opens a database and answers with its URL. `DELETE /name` drops it. */
const answer: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1')
  const name = pathname.slice(1)
  const act = async (): Promise<string> => {
    databases ??= openDatabases()
    const { open, drop } = await databases
    if (request.method === 'PUT') return open(name, searchParams.get('kind') as DatabaseKind)
    const dropped = drop(name)
    if (NAMED_URL !== undefined) await dropped
    else dropped.catch(() => undefined)
    return ''
  }
  act().then(
    (text) => response.end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  )
}

async function openDatabases(): Promise<TestDatabases> {
  const { createTestDatabases } = await import('../../packages/postgres/src/test-databases.fixture.ts')
  if (NAMED_URL === undefined) postgres = await startPostgres()
  return createTestDatabases(postgres?.url ?? String(NAMED_URL), async () => {
    const { bundledAgents } = await import('../../apps/server/src/main.ts')
    return bundledAgents.flatMap(({ migrations = [] }) => migrations)
  })
}
