import { once } from 'node:events'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createTestDatabase, hasServer, type TestDatabase } from '../postgres.fixture.ts'
import { openTcpProxy, type TcpProxy } from '../tcp-proxy.fixture.ts'
import { openSession, type Session } from './session.ts'

describe.runIf(hasServer)('a session', () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let session: Session
  beforeEach(async () => {
    database = await createTestDatabase()
    proxy = await openTcpProxy(database.url)
    session = await openSession(proxy.url)
  })
  afterEach(async () => {
    await session[Symbol.asyncDispose]()
    await proxy.close()
    await database.drop()
  })

  it('runs statements one after the other', async () => {
    const warnings: unknown[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    const rows = await Promise.all([1, 2, 3].map((n) => session.query(`SELECT ${n} AS n`)))
    process.off('warning', onWarning)

    expect(rows).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
    expect(warnings).toEqual([])
  })

  it('opens another connection when nothing passes on the present one', async () => {
    const ended = once(session.connectionSignal(), 'abort')
    proxy.cut('mute')
    await ended

    await vi.waitFor(() => session.query('SELECT 1'), { timeout: 5000 })
  }, 20_000)

  it('ends where the server cannot be reached', async () => {
    proxy.block(true)
    await session[Symbol.asyncDispose]()
  }, 5000)
})
