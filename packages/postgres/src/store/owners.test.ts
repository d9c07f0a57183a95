import { setTimeout as wait } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { newRun } from '../../../dragoman/src/log/store.contract.ts'
import { openPostgres, type PostgresStorage } from '../index.ts'
import { createTestDatabase, hasServer, type TestDatabase } from '../postgres.fixture.ts'
import { openTcpProxy, type TcpProxy } from '../tcp-proxy.fixture.ts'

describe.runIf(hasServer)('a node that starts as another loses its connections', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let node: PostgresStorage
  beforeEach(async () => {
    database = await createTestDatabase()
    proxy = await openTcpProxy(database.url)
    node = await openPostgres(proxy.url)
    await node.store.alive('elsewhere/1/a/a', 60_000)
    await node.store.create(newRun('run_1'), 'reject', 'elsewhere/1/a/a')
    proxy.refuse(true)
    proxy.cut('both')
    // Longer than a report counts as recent.
    await wait(1600)
  })
  afterEach(async () => {
    proxy.refuse(false)
    await node.close()
    await proxy.close()
    await database.drop()
  })

  it('leaves it the time to come back, and takes its runs after that', async () => {
    const fresh = await openPostgres(database.url)
    const find = async () => (await fresh.store.claimable('elsewhere/2/b/b')).map(({ id }) => id)

    expect(await find()).toEqual([])
    await vi.waitFor(async () => expect(await find()).toEqual(['run_1']), { timeout: 5000, interval: 200 })
    await fresh.close()
  })

  it('never takes the runs of one that comes back', async () => {
    const fresh = await openPostgres(database.url)
    const owner = 'elsewhere/2/b/b'
    expect(await fresh.store.claimable(owner)).toEqual([])
    proxy.refuse(false)
    await vi.waitFor(() => node.store.claimable('elsewhere/1/a/a'))
    const until = performance.now() + 3000
    while (performance.now() < until) expect(await fresh.store.claimable(owner)).toEqual([])
    await fresh.close()
  }, 15_000)

  it('lets it close without the database', async () => {
    await node.store.alive('elsewhere/1/a/a', 0)
  }, 5000)
})
