import { Client } from 'pg'
import { expect, it, onTestFinished } from 'vitest'

import { createTestDatabase, hasServer } from './postgres.fixture.ts'
import { createSharedDatabases } from './shared-databases.fixture.ts'

it.skipIf(!hasServer)('gives a database and its session to the next test, as if they were new', async () => {
  const template = await createTestDatabase()
  const urlOf = (database: string): string => new URL(`/${database}`, template.url).href
  const admin = new Client(urlOf('postgres'))
  await admin.connect()
  const create = async (database: string, from: string): Promise<string> => {
    await admin.query(`CREATE DATABASE ${database} TEMPLATE ${from}`)
    return urlOf(database)
  }
  const remove = async (database: string): Promise<void> => {
    await admin.query(`DROP DATABASE IF EXISTS ${database} WITH (FORCE)`)
  }
  const shared = await createSharedDatabases(
    { urlOf, create, remove },
    new URL(template.url).pathname.slice(1),
  )
  onTestFinished(async () => {
    await shared.close()
    await admin.end()
    await template.drop()
  })
  /** What a test finds, before it leaves as much as it can behind. */
  const use = async (name: string) => {
    const client = new Client(await shared.open(name))
    await client.connect()
    const { rows } = await client.query<{ pid: number; database: string }>(`
      SELECT pg_backend_pid() AS pid, current_database() AS database, current_setting('lock_timeout') AS timeout,
        (SELECT count(*)::int FROM projections) AS rows,
        (SELECT count(*)::int FROM pg_listening_channels()) AS channels,
        (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks`)
    await client.query(`
      LISTEN news; SELECT pg_advisory_lock(1); SET lock_timeout = 7;
      INSERT INTO projections (name, cursor) VALUES ('test', '1')`)
    await client.end()
    await shared.drop(name)
    return rows[0]
  }

  const url = await shared.open('first')
  const first = await use('first')
  const states = [first, await use('second'), await use('third'), await use('fourth'), await use('fifth')]

  // A session may come back too late for the next test.
  const pids = new Set(states.map((state) => state?.pid))
  expect(pids.size).toBeLessThan(states.length)
  const { database } = first ?? {}
  const clean = { database, timeout: '0', rows: 0, channels: 0, locks: 0 }
  for (const state of states) expect(state).toEqual({ ...clean, pid: state?.pid })
  await expect(new Client(url).connect()).rejects.toThrow()
})
