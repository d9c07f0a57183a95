import { describe, expect, it } from 'vitest'

import { createTestDatabase, hasServer } from '../postgres.fixture.ts'
import { openTcpProxy } from '../tcp-proxy.fixture.ts'
import { createPool, endPool } from './pool.ts'

describe.runIf(hasServer)('a pool', () => {
  it('lets the server end the connections of a host that is gone', async () => {
    const database = await createTestDatabase()
    const pool = createPool(database.url, 1)
    const { rows } = await pool.query(
      `SELECT name, setting FROM pg_settings WHERE name ~ '^tcp_(user_timeout|keepalives_idle)' ORDER BY name`,
    )
    expect(rows).toEqual([
      { name: 'tcp_keepalives_idle', setting: '1' },
      { name: 'tcp_user_timeout', setting: '10000' },
    ])
    await endPool(pool)
    await database.drop()
  })

  it('ends where the server cannot be reached', async () => {
    const database = await createTestDatabase()
    const proxy = await openTcpProxy(database.url)
    const pool = createPool(proxy.url, 2)
    const client = await pool.connect()
    client.on('error', () => undefined)
    proxy.block(true)
    const pending = client.query('SELECT 1').finally(() => client.release(true))
    const lost = expect(pending).rejects.toThrow('Connection terminated')
    await endPool(pool)

    await lost
    await proxy.close()
    await database.drop()
  }, 5000)
})
