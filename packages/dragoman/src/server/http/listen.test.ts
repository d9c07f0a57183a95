import { connect } from 'node:net'
import { text } from 'node:stream/consumers'

import { describe, expect, it } from 'vitest'

import { createRoomyLoad } from '../load/load.fixture.ts'
import { createTrustedProxies, listen } from './index.ts'

const anywhere = { host: '127.0.0.1', port: 0, load: createRoomyLoad(), proxies: createTrustedProxies([]) }
const soon = { headersTimeout: 20, requestTimeout: 40, connectionsCheckingInterval: 5 }

describe('listen', () => {
  it.each([
    ['head', 'POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    ['body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{'],
  ])('answers 408 when the %s of a request does not arrive', async (_what, head) => {
    const read = async (request: Request): Promise<Response> => new Response(await request.text())
    const server = await listen(read, { ...anywhere, timeouts: soon })
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write(head)

    expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /)
    await server.close()
  })

  it('reports a port that is in use', async () => {
    const first = await listen(() => new Response(), anywhere)
    const port = Number(new URL(first.url).port)

    await expect(listen(() => new Response(), { ...anywhere, port })).rejects.toMatchObject({
      code: 'unavailable',
      message: `Port ${port} of 127.0.0.1 cannot be had. Choose another with --port.`,
    })
    await first.close()
  })

  it.each([
    [undefined, 75],
    [600, 600],
  ])('keeps connections without a request (%j) for %i s', async (idleConnectionSeconds, seconds) => {
    const limits = idleConnectionSeconds === undefined ? {} : { idleConnectionSeconds }
    const server = await listen(() => new Response('here'), { ...anywhere, limits })

    expect((await fetch(server.url)).headers.get('keep-alive')).toBe(`timeout=${seconds}`)
    await server.close()
  })

  it('lets running responses end on close', async () => {
    const [arrival, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const server = await listen(async () => {
      arrival.resolve()
      await release.promise
      return new Response('whole')
    }, anywhere)
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await arrival.promise

    const closed = server.close()
    release.resolve()

    expect(await text(socket)).toContain('whole')
    await closed
  })
})
