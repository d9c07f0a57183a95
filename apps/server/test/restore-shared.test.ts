import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { newRun } from '../../../packages/dragoman/src/log/store-claims.contract.ts'
import { openPostgres, type PostgresStorage } from '../../../packages/postgres/src/index.ts'
import {
  createTestDatabase,
  hasServer,
  type TestDatabase,
} from '../../../packages/postgres/src/postgres.fixture.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { run, SQLITE_BIN } from '../../../test/support/process.ts'

describe.runIf(hasServer)('dragoman restore with DATABASE_URL', () => {
  let database: TestDatabase
  let storage: PostgresStorage
  beforeEach(async () => {
    database = await createTestDatabase()
    storage = await openPostgres(database.url)
    await storage.store.create(newRun('run_1'), 'reject', 'gone/1/a')
    await storage.store.append('run_1', [{ type: 'step.started', model: 'm' }], { epoch: 1 })
  })
  afterEach(async () => {
    await storage.close()
    await database.drop()
  })
  const restore = async (...args: readonly string[]) => {
    const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: database.url }
    return run(['restore', ...args, '--home', await createTempDir()], env, ':', SQLITE_BIN).ended
  }

  it('ends the runs that had not ended, once', async () => {
    expect(await restore()).toMatchObject({ code: 0, stderr: expect.stringContaining('now failed: 1.') })
    expect(await storage.store.get('run_1')).toMatchObject({ status: 'failed' })
    expect(await restore()).toMatchObject({ code: 0, stderr: expect.stringContaining('now failed: 0.') })
  })

  it('refuses while a node uses the database, and changes nothing', async () => {
    await storage.store.alive('here/2/b', 15_000)

    expect(await restore()).toMatchObject({ code: 1, stderr: expect.stringContaining('stop all nodes') })
    expect(await storage.store.get('run_1')).toMatchObject({ status: 'running' })
  })

  it('takes no file', async () => {
    expect(await restore('copy.db')).toMatchObject({ code: 2, stderr: expect.stringContaining('tools') })
  })
})
