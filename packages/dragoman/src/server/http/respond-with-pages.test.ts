import { Hono, type Context } from 'hono'
import { afterEach, expect, it, vi } from 'vitest'

import { toFailure } from '../../errors.ts'
import { createRoomyLoad, usedOf } from '../load/load.fixture.ts'
import type { HttpEnv } from './http-env.ts'
import { createLocalApp, openStalledReader } from './local-app.fixture.ts'
import { deliverPages, listen, type AnswerPage } from './index.ts'
import { deliverFeeds } from './respond-with-feed.ts'

afterEach(() => void vi.useRealTimers())

const PIECE = 'x'.repeat(1024 * 1024)

/** Requests pipelined answers, and counts their pages. */
async function requestTexts(bytesInFlight: number, connections: number) {
  const made = { all: 0, begun: 0, closed: 0 }
  const load = createRoomyLoad({ bytesInFlight })
  const { app, guard } = createLocalApp(load)
  async function* pages(): AsyncGenerator<AnswerPage> {
    made.begun += 1
    const make = async (): Promise<string> => {
      made.all += 1
      return PIECE
    }
    try {
      for (let n = 0; n < 200; n++) yield { bytes: PIECE.length, make }
    } finally {
      made.closed += 1
    }
  }
  app.get('/text', (c) => deliverPages(c, pages(), {}))
  app.get('/ready', (c) => c.text('ready'))
  const server = await listen(app.fetch, {
    ...guard,
    host: '127.0.0.1',
    port: 0,
    limits: { requestsPerConnection: 4 },
  })
  const sockets = Array.from({ length: connections }, () =>
    openStalledReader(server.url, 'GET /text HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100)),
  )
  return { made, load, server, sockets }
}

it('generates text no faster than it is taken, with many pipelined requests', async () => {
  const { made, load, server, sockets } = await requestTexts(1e9, 2)
  // Queued requests are not started. The first one fills the system's buffers, then generation stops.
  let before = 0
  const isUnchanged = (): boolean => {
    const isSame = before > 0 && before === made.all
    before = made.all
    return isSame
  }
  await expect.poll(isUnchanged, { interval: 300 }).toBe(true)

  expect(made.begun).toBe(2)
  expect(usedOf(load, 'bytesUnsent')).toBeGreaterThanOrEqual(2 * PIECE.length)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => [made.closed, usedOf(load, 'bytesUnsent')]).toEqual([made.begun, 0])
  await server.close()
})

it('leaves most of the allowed bytes to others', async () => {
  const { made, load, server, sockets } = await requestTexts(10 * PIECE.length, 4)
  await expect.poll(() => usedOf(load, 'bytesUnsent')).toBeGreaterThanOrEqual(2 * PIECE.length)
  await expect.poll(() => made.begun).toBe(4)

  expect((await fetch(`${server.url}/ready`)).status).toBe(200)
  expect(usedOf(load, 'bytesUnsent')).toBeLessThan(3 * PIECE.length)
  expect(sockets.some((socket) => socket.destroyed || socket.readableEnded)).toBe(false)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => usedOf(load, 'bytesUnsent')).toBe(0)
  await server.close()
})

it('refuses an answer whose first page finds no room', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const load = createRoomyLoad({ expensiveReadsPerUser: 1, expensiveReads: 1 })
  const place = load.share({ userId: 'local' }).take('expensiveReads')
  const app = new Hono<HttpEnv>()
  app.onError((error) => new Response(toFailure(error).code))
  app.use(deliverFeeds(60_000))
  const size = (bytes: number) => async (c: Context<HttpEnv>) => {
    c.set('load', load.share({ userId: 'local' }))
    const pages = async function* (): AsyncGenerator<AnswerPage> {
      yield { bytes, make: async () => 'made' }
    }
    return deliverPages(c, pages(), {})
  }
  app.get('/large', size(1e6))
  app.get('/small', size(1e5))

  const late = app.request('/large')
  expect(await (await app.request('/small')).text()).toBe('made')
  await vi.advanceTimersByTimeAsync(30_000)
  expect(await (await late).text()).toBe('overloaded')
  expect(usedOf(load, 'bytesUnsent')).toBe(0)

  const next = app.request('/large')
  place.release()
  expect(await (await next).text()).toBe('made')
  expect(usedOf(load, 'expensiveReads')).toBe(0)
  vi.useRealTimers()
})
