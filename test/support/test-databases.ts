import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { hasPostgres, startPostgres, type PostgresServer } from './postgres-server.ts'

const isNamed = process.env['DRAGOMAN_TEST_DATABASE_URL'] !== undefined

let starter: Server | undefined
let postgres: Promise<PostgresServer> | undefined

/**
 * Unless a server is named, the first test that needs PostgreSQL starts one for the whole run. It asks for the URL at
 * the address in `DRAGOMAN_TEST_STARTER`.
 */
export async function setup(): Promise<void> {
  if (isNamed) return
  if (!hasPostgres()) {
    if (process.env['DRAGOMAN_TEST_DATABASE'] !== 'postgres') return
    throw new Error('npm has no PostgreSQL for this machine: set POSTGRES_BIN or DRAGOMAN_TEST_DATABASE_URL.')
  }
  starter = createServer((_request, response) => {
    postgres ??= startWithTemplate()
    postgres.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  starter.listen(0, '127.0.0.1')
  await once(starter, 'listening')
  process.env['DRAGOMAN_TEST_STARTER'] = `http://127.0.0.1:${(starter.address() as AddressInfo).port}`
}

export async function teardown(): Promise<void> {
  starter?.close()
  starter?.closeAllConnections()
  await (await postgres)?.stop()
}

async function startWithTemplate(): Promise<PostgresServer> {
  const server = await startPostgres()
  const { createTemplate } = await import('../../packages/postgres/src/template.fixture.ts')
  await createTemplate(server.url)
  return server
}
