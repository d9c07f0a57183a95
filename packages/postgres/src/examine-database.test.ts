import { describe, expect, it, onTestFinished } from 'vitest'

import { migrate } from 'dragoman/database'

import { examineDatabase, openPostgres } from './index.ts'
import { createTestDatabase, hasServer } from './postgres.fixture.ts'

describe.runIf(hasServer)('what the doctor sees of a database', () => {
  it('names its version, its migrations and the nodes that use it', async () => {
    const { url, drop } = await createTestDatabase({ isEmpty: true })
    onTestFinished(drop)
    expect(await examineDatabase(url)).toMatchObject({ migrations: undefined, nodes: [] })
    const node = await openPostgres(url)
    onTestFinished(node.close)
    await migrate(node.database, [
      { name: 'dice-1', statements: ['CREATE TABLE rolls (value INTEGER) STRICT'] },
    ])
    await node.store.alive('desk/7/a', 15_000, 'attic')

    const report = await examineDatabase(url)

    expect(report).toMatchObject({
      migrations: ['postgres-log-1', 'postgres-log-2', 'postgres-log-3', 'dice-1'],
      nodes: [{ name: 'desk/7/a', place: 'attic', isAlive: true, runs: 0 }],
    })
    expect(report.version).toMatch(/^1[5-9]|^2/)
    expect(report.noticeMs).toBeGreaterThan(0)
    expect(report.connections.open).toBeGreaterThan(0)
    expect(node.cluster.health()).toMatchObject({ waiting: 0 })
  })
})
