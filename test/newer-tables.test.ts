import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'

import {
  findNewerTables,
  openDatabase,
  tableVersion,
  type Database,
} from '../packages/dragoman/src/database/index.ts'
import {
  createServer,
  defineAgent,
  readConfig,
  type AgentFactory,
  type AgentModule,
} from '../packages/dragoman/src/index.ts'
import { logMigrations } from '../packages/dragoman/src/server/log-migrations.ts'
import { collectMigrations } from '../packages/dragoman/src/server/migrations.ts'
import { gate, scriptedModel, text, type Gate } from '../packages/dragoman/src/testing/index.ts'
import { hasServer } from '../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from './support/create-temp-dir.ts'
import { openCluster, type Node } from './support/nodes.ts'

const NEWER = /a newer version of dragoman has changed its tables \(threads-99-future\)/

function speaker(at: Gate): AgentModule {
  const model = scriptedModel(Array.from({ length: 9 }, () => text('The first half,', at, ' the second.')))
  return { agent: { ...defineAgent({ id: 'echo', instructions: 'Answer.', model, tools: [] }) } }
}

/** It stands for a newer version: its migration is named like one of the server's own. */
const future: AgentFactory = {
  id: 'threads',
  migrations: [{ name: 'threads-99-future', statements: [] }],
  create: () => undefined,
}

/** What a newer version does at its start. */
async function applyNewer(db: Database, olderMayWrite: boolean): Promise<void> {
  await sql`INSERT INTO schema_migrations (name, applied_at) VALUES ('threads-99-future', '2030')`.execute(db)
  if (olderMayWrite)
    await sql`INSERT INTO compatible_migrations (name) VALUES ('threads-99-future')`.execute(db)
}

async function countRows(db: Database): Promise<unknown> {
  const counts = sql<{
    count: number
  }>`SELECT (SELECT count(*) FROM conversations) + (SELECT count(*) FROM runs) +
    (SELECT count(*) FROM schema_migrations) AS count`
  return (await counts.execute(db)).rows[0]?.count
}

async function start(node: Node, thread: string): Promise<string> {
  await node.send('POST /v1/threads', { agent: 'echo', name: thread })
  const response = await node.send(`POST /v1/threads/${thread}/runs`, { agent: 'echo', message: 'Go.' })
  await response.body?.cancel()
  return String(response.headers.get('x-run-id'))
}

describe.runIf(hasServer)('tables in PostgreSQL that a newer version has changed', () => {
  it('are refused at the start, before anything is written', async () => {
    const open = await openCluster()
    const here = gate()
    const { server, storage } = await open({ agents: [speaker(here)] })
    await server.close()
    await applyNewer(storage.database, false)
    const before = await countRows(storage.database)

    const opening = open({ agents: [speaker(here)] })

    await expect(opening).rejects.toMatchObject({ code: 'unavailable' })
    await expect(opening).rejects.toThrow(NEWER)
    expect(await countRows(storage.database)).toEqual(before)
  })

  it('are served by an older node where only the log of SQLite has changed', async () => {
    const { storage } = await (await openCluster())({ agents: [speaker(gate())] })
    const older = collectMigrations([]).filter((migration) => !logMigrations.includes(migration))

    expect(older.length).toBeGreaterThan(0)
    expect(await findNewerTables(storage.database, tableVersion(older, []))).toBeUndefined()
  })

  it('stop a server that runs, and its runs go on elsewhere', async () => {
    const open = await openCluster()
    const [never, here] = [gate(), gate()]
    const older = await open({ agents: [speaker(never)] })
    const id = await start(older, 'chat')
    await (await older.follow(id)).until('first half')
    const newer = await open({ agents: [speaker(here), future] })
    const reader = await newer.follow(id)

    const reason = await older.server.stopped

    expect(reason.message).toMatch(NEWER)
    for (const request of ['GET /ready', 'GET /v1/threads', 'POST /v1/threads'])
      expect((await older.send(request, request.startsWith('POST') ? {} : undefined)).status).toBe(503)
    await reader.until('run.resumed')
    here.open()
    expect((await reader.whole()).toString()).toContain('run.finished')
    expect((await newer.send('POST /v1/threads', { agent: 'echo' })).status).toBe(201)
  }, 30_000)

  it('are used further if an older version may write them', async () => {
    const open = await openCluster()
    const here = gate()
    here.open()
    const older = await open({ agents: [speaker(here)] })
    await applyNewer(older.storage.database, true)

    const again = await open({ agents: [speaker(here)] })

    for (const [node, thread] of [
      [older, 'a'],
      [again, 'b'],
    ] as const)
      expect((await (await again.follow(await start(node, thread))).whole()).toString()).toContain(
        'run.finished',
      )
  })
})

describe('tables in SQLite that a newer version has changed', () => {
  it('stop a server that runs', async () => {
    const home = await createTempDir()
    const config = readConfig(['--home', home, '--log-level', 'silent'], {})
    const here = gate()
    const server = await createServer({ agents: [speaker(here)], config })
    const db = openDatabase(`${home}/dragoman.db`)
    try {
      await applyNewer(db, false)

      const reason = await server.stopped

      expect(reason.message).toMatch(NEWER)
      expect((await server.fetch(new Request('http://127.0.0.1/ready'))).status).toBe(503)
    } finally {
      await db.destroy()
      await server.close()
    }
    const opening = createServer({ agents: [speaker(here)], config })
    await expect(opening).rejects.toThrow(NEWER)
  }, 30_000)
})
