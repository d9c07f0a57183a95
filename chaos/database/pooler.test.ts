import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openPostgres } from '../../packages/postgres/src/index.ts'
import { openPooler, hasPgBouncer, type Pooler } from './pooler.ts'
import { findPostgresBinaries, giveToOrdinaryUser, hasPostgres } from './postgres-binaries.ts'
import { initializeServer, type PostgresServer } from './postgres-server.ts'

describe.runIf(hasPgBouncer && hasPostgres())('a server behind PgBouncer', () => {
  let folder: string
  let server: PostgresServer
  let poolers: readonly [session: Pooler, transaction: Pooler]
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-pooler-'))
    await giveToOrdinaryUser(folder)
    server = await initializeServer(findPostgresBinaries(), join(folder, 'data'), join(folder, 'log'))
    await server.start()
    poolers = [
      await openPooler(join(folder, 'session'), { target: server.url, mode: 'session' }),
      await openPooler(join(folder, 'transaction'), { target: server.url, mode: 'transaction' }),
    ]
  }, 60_000)
  afterAll(async () => {
    for (const pooler of poolers) await pooler[Symbol.asyncDispose]()
    await server.stop('immediate')
    await rm(folder, { recursive: true, force: true })
  })

  it('starts in session mode', async () => {
    const storage = await openPostgres(poolers[0].url)
    await storage.store.ping()
    await storage.close()
  })

  it('refuses to start in transaction mode', async () => {
    await expect(openPostgres(poolers[1].url)).rejects.toThrow('a pooler in transaction mode')
    // Also while others have left idle connections behind.
    await expect(openPostgres(poolers[1].url)).rejects.toThrow('a pooler in transaction mode')
  })
})
