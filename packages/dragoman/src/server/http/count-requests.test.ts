import type { Socket } from 'node:net'

import { afterEach, expect, it } from 'vitest'

import type { Feed } from '../fan-out/index.ts'
import type { LoadAccount } from '../load/index.ts'
import { createRoomyLoad, MIB, usedOf } from '../load/load.fixture.ts'
import { deliver, deliverEvents, listen, type Listening } from './index.ts'
import { createLocalApp, openStalledReader } from './local-app.fixture.ts'

const STALL_TIMEOUT_MS = 600
const TEXT = 'x'.repeat(24 * MIB)

let listening: Listening
let load: LoadAccount
let sockets: Socket[] = []
const closedFeeds: number[] = []
let endedWork: PromiseWithResolvers<void>
const open = async (settings: Parameters<typeof createRoomyLoad>[0] = {}): Promise<void> => {
  load = createRoomyLoad(settings)
  endedWork = Promise.withResolvers()
  const { app, guard } = createLocalApp(load, { stallTimeoutMs: STALL_TIMEOUT_MS })
  app.get('/large', (c) => c.text(TEXT))
  app.get('/small', (c) => c.text('small'))
  app.get('/events', (c) =>
    deliverEvents(c, async (send, signal) => {
      while (!signal.aborted) {
        send('x'.repeat(MIB))
        await new Promise((resolve) => setImmediate(resolve))
      }
      endedWork.resolve()
    }),
  )
  app.get('/silent', (c) => {
    const feed: Feed = {
      take: () => 'wait',
      whenMore: () => undefined,
      close: () => void closedFeeds.push(1),
    }
    return deliver(c, { feed, heartbeat: ': \n\n', headers: {}, closing: new AbortController() })
  })
  listening = await listen(app.fetch, { ...guard, host: '127.0.0.1', port: 0 })
}
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  sockets = []
  await listening.close()
})

const get = (path: string, count = 1): Socket => {
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
  const socket = openStalledReader(listening.url, request.repeat(count))
  sockets.push(socket)
  return socket
}

it('counts what a client has not taken of an answer, and refuses more while that is too much', async () => {
  await open({ bytesInFlight: 16 * MIB })
  const socket = get('/large')
  await expect.poll(() => usedOf(load, 'bytesUnsent')).toBeGreaterThan(16 * MIB)

  expect((await fetch(`${listening.url}/small`)).status).toBe(503)
  socket.resume()
  await expect.poll(() => usedOf(load, 'bytesUnsent')).toBe(0)
  expect((await fetch(`${listening.url}/small`)).status).toBe(200)
})

it('cuts a client that takes nothing, and releases everything', async () => {
  await open()
  get('/large', 3)
  await expect.poll(() => usedOf(load, 'requests')).toBe(3)

  await expect.poll(() => usedOf(load, 'requests')).toBe(0)
  expect(load.totals().every(({ used }) => used === 0)).toBe(true)
})

it('does not cut a client that takes a large answer slowly', async () => {
  await open()
  const { body } = await fetch(`${listening.url}/large`)
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  expect(bytes).toBe(TEXT.length)
})

it('ends work whose events the client does not take', async () => {
  await open({ bytesInFlight: 16 * MIB })
  get('/events')
  await endedWork.promise

  await expect.poll(() => load.totals().every(({ used }) => used === 0)).toBe(true)
})

it('closes the streams of pipelined requests with their connection', async () => {
  await open()
  closedFeeds.length = 0
  const socket = get('/silent', 5)
  await expect.poll(() => usedOf(load, 'requests')).toBe(5)
  socket.destroy()

  await expect.poll(() => closedFeeds.length).toBe(5)
  expect(load.totals().every(({ used }) => used === 0)).toBe(true)
})
