import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import { createTestDatabase, hasServer } from '../postgres.fixture.ts'
import { openTcpProxy } from '../tcp-proxy.fixture.ts'
import { isConnectionError } from './connection-errors.ts'
import { takeConnection, createPool, endPool } from './pool.ts'

/** The bytes of a message of the server. https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, body: string): Buffer {
  const bytes = Buffer.from(`${type}\0\0\0\0${body}`, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

it('takes a server for away that refuses a connection for a full disk, and does not end it', async () => {
  const answers = [
    Buffer.concat([message('R', '\0\0\0\0'), message('Z', 'I')]),
    message('E', 'SFATAL\0CXX000\0Mcould not write init file\0\0'),
  ]
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const remaining = [...answers]
    socket.on('error', () => undefined).on('data', () => void socket.write(remaining.shift() ?? ''))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const pool = createPool(`postgres://postgres@127.0.0.1:${port}/postgres`, 1)

  const error: unknown = await takeConnection(() => pool.connect()).catch((refusal: unknown) => refusal)

  expect(error).toMatchObject({ message: expect.stringContaining('could not write init file') })
  expect(isConnectionError(error)).toBe(true)

  await endPool(pool)
  server.close()
}, 5000)

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
