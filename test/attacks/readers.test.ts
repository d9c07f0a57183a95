import type { Socket } from 'node:net'

import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { eventsOf, reading, withoutBeats } from '../support/event-stream.ts'
import { gate, type Gate } from '../support/gate.ts'
import { client, chatRequest } from '../support/http.ts'
import { says, scriptedModel, step, type ScriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { line, statuses } from '../support/wire.ts'

let model: ScriptedModel
let server: TestServer
const open = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
  model = scriptedModel()
  server = await openServer({ models: model.models, env })
}
afterEach(() => server[Symbol.asyncDispose]())

const pathOf = (run: string): string => `/v1/runs/${run}/events`
const get = (path: string, method = 'GET', more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${more}\r\n`

/** A run that says what is between the gates, and waits at each. */
async function telling(...pieces: readonly (string | Gate)[]): Promise<string> {
  model.play([step(says(...pieces))])
  const response = await client(server).post('/jobs/chat', chatRequest('go'))
  await response.body?.cancel()
  return String(response.headers.get('x-run-id'))
}

/** The first bytes of an answer. */
function firstOf(socket: Socket, request: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.once('data', (bytes) => resolve(String(bytes)))
  socket.write(request)
  return promise
}

describe('a reader that disconnects', () => {
  const READERS = 8
  let hold: Gate
  let run: string
  beforeEach(async () => {
    await open({ DRAGOMAN_READERS: String(READERS) })
    hold = gate()
    run = await telling('Half', hold, ' done.')
    await hold.reached
  })
  afterEach(() => hold.open())

  /** Places are given back a moment after a socket has closed. */
  const allPlacesAreFree = async (): Promise<void> => {
    const readFrames = async (): Promise<string[]> => {
      const sockets = Array.from({ length: READERS }, () => line(server.url))
      const heads = await Promise.all(sockets.map((socket) => firstOf(socket, get(pathOf(run)))))
      for (const socket of sockets) socket.destroy()
      return heads.map((head) => head.slice(9, 12)).filter((status) => status !== '200')
    }
    await expect.poll(readFrames, { interval: 20 }).toEqual([])
  }

  it('before the first byte leaks nothing', async () => {
    for (let n = 0; n < 3 * READERS; n++) {
      const socket = line(server.url)
      await new Promise<void>((resolve) => socket.once('connect', resolve))
      await new Promise<void>((resolve) => socket.write(get(pathOf(run)), () => resolve()))
      socket.resetAndDestroy()
    }
    await allPlacesAreFree()
  })

  it('in the middle of the stream leaks nothing', async () => {
    for (let n = 0; n < 3; n++) {
      const sockets = Array.from({ length: READERS }, () => line(server.url))
      await Promise.all(sockets.map((socket) => firstOf(socket, get(pathOf(run)))))
      for (const [index, socket] of sockets.entries()) {
        if (index % 3 === 0) socket.resetAndDestroy()
        else if (index % 3 === 1) socket.destroy()
        else socket.end()
      }
      await allPlacesAreFree()
    }
  })

  it('after the end leaves its connection for the next request', async () => {
    const socket = line(server.url)
    let came = ''
    socket.setEncoding('utf8').on('data', (text: string) => (came += text))
    for (let n = 1; n <= 2 * READERS; n++) {
      socket.write(get('/health/stream', 'HEAD') + get(pathOf(run), 'HEAD') + get('/health'))
      await expect.poll(() => statuses(came).length, { interval: 5 }).toBe(3 * n)
    }
    hold.open()
    socket.write(get(pathOf(run)) + get(pathOf(run)) + get('/health', 'GET', 'Connection: close\r\n'))
    await new Promise((resolve) => socket.once('close', resolve))

    expect(new Set(statuses(came))).toEqual(new Set([200]))
    expect(came.match(/run\.finished/g)).toHaveLength(2)
    expect(came).not.toContain('"beat"')
  })
})

describe('readers of one run', () => {
  beforeEach(() => open())

  const lastOf = async (run: string): Promise<number> => {
    const { body } = await client(server).json('GET', `/v1/runs/${run}`)
    return Number((body['run'] as Record<string, unknown>)['lastSeq'])
  }

  it('each get exactly the bytes after their cursor, however they connect and stall', async () => {
    const gates = Array.from({ length: 30 }, gate)
    const run = await telling(...gates.flatMap((each, n) => [`${n} `, '软件'.repeat(1000), each]))
    const url = `${server.url}${pathOf(run)}`
    const plans = fc.sample(plan(gates.length), { numRuns: 500, seed: 20_261_122 })
    const over = gate()
    const reads: Promise<Had>[] = []
    for (const [at, each] of gates.entries()) {
      await each.reached
      const last = await lastOf(run)
      for (const { joins, back, ...how } of plans) {
        if (joins === at) reads.push(had(url, { after: Math.max(0, last - back), over, ...how }))
      }
      each.open()
    }
    over.open()

    const all = await Promise.all(reads)
    const whole = await reading(await fetch(url)).whole()
    const ends = new Map(eventsOf(whole).map(({ id, end }) => [Number.parseInt(id ?? '', 10), end]))
    expect(all).toHaveLength(500)
    for (const { after, bytes, left } of all) {
      const expected = whole.subarray(ends.get(after) ?? 0)
      expect(bytes.equals(left ? expected.subarray(0, bytes.length) : expected)).toBe(true)
    }
  })

  it('are disconnected without an end when the server closes', async () => {
    const hold = gate()
    const run = await telling('Half', hold)
    await hold.reached
    const readers = await Promise.all(
      Array.from({ length: 50 }, async () => reading(await fetch(`${server.url}${pathOf(run)}`))),
    )
    await Promise.all(readers.map((each) => each.until('Half')))

    const [, ...ends] = await Promise.allSettled([
      server[Symbol.asyncDispose](),
      ...readers.map((each) => each.whole()),
    ])

    for (const { status } of ends) expect(status).toBe('rejected')
  })
})

/** When a reader connects, from how far behind, after how many chunks it leaves, and whether it waits until the end. */
const plan = (gates: number) =>
  fc.record({
    joins: fc.nat({ max: gates - 1 }),
    back: fc.nat({ max: 30 }),
    leaves: fc.option(fc.nat({ max: 20 })),
    rests: fc.boolean(),
  })

type Had = { readonly after: number; readonly bytes: Buffer; readonly left: boolean }

async function had(
  url: string,
  how: { after: number; leaves: number | null; rests: boolean; over: Gate },
): Promise<Had> {
  const { after, leaves, rests, over } = how
  const { body } = await fetch(`${url}?after=${after}`)
  const chunks: Uint8Array[] = []
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    if (chunks.length === leaves) break
    if (rests && chunks.length === 1) await over.pass()
  }
  return { after, bytes: withoutBeats(Buffer.concat(chunks)), left: chunks.length === leaves }
}
