import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { platform } from 'node:os'

import { describe, expect, it } from 'vitest'

import { openListeners } from './open-listeners.ts'

const HOST = '127.0.0.1'
const CONNECTIONS = 64

describe('the listeners of a server', () => {
  it.runIf(platform() === 'linux')('take several connections in a turn of the event loop', async () => {
    const server = createServer()
    const { address, close } = await openListeners(server, { host: HOST, port: 0 })
    let inTurn = 0
    let most = 0
    let count = 0
    server.on('connection', (socket) => {
      count += 1
      inTurn += 1
      most = Math.max(most, inTurn)
      setImmediate(() => (inTurn = 0))
      socket.destroy()
    })
    const clients = Array.from({ length: CONNECTIONS }, () => connect(address.port, HOST))
    await Promise.all(clients.map((each) => once(each.resume(), 'close')))

    expect(count).toBe(CONNECTIONS)
    expect(most).toBeGreaterThan(1)
    await close()
  })

  it('are refused a port that another server has', async () => {
    const first = await openListeners(createServer(), { host: HOST, port: 0 })
    const again = openListeners(createServer(), { host: HOST, port: first.address.port })

    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await first.close()
  })

  it('answer on each of them, and end with the server', async () => {
    const server = createServer((_request, response) => response.end('hello'))
    const { address, close } = await openListeners(server, { host: HOST, port: 0 })
    const url = `http://${HOST}:${address.port}/`
    const texts = await Promise.all(
      Array.from({ length: CONNECTIONS }, async () =>
        (await fetch(url, { headers: { connection: 'close' } })).text(),
      ),
    )

    expect(new Set(texts)).toEqual(new Set(['hello']))
    await close()
    await expect(fetch(url)).rejects.toThrow()
  })
})
