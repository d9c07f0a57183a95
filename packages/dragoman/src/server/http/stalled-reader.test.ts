import type { Socket } from 'node:net'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { RunEvent } from '../../events/index.ts'
import { runLog, type Store } from '../../log/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { native } from '../../protocols/index.ts'
import { memoryNotifier, memoryStore } from '../../stores/memory/index.ts'
import { parseCursor } from '../fan-out/cursor.ts'
import { createFanOut } from '../fan-out/index.ts'
import { createRoomyLoad } from '../load/load.fixture.ts'
import { deliver, listen, type Listening } from './index.ts'
import { createLocalApp, openStalledReader } from './local-app.fixture.ts'

const delta = (text: string): RunEvent => ({ type: 'text.delta', partId: 'run_1.1', delta: text })
const usage = { inputTokens: 0, outputTokens: 0 }
const ENTRIES = 2000
const STALLED_MS = 1000

describe('a reader that takes nothing', () => {
  let store: Store
  let listening: Listening
  let closings: AbortController[]
  let sockets: Socket[]
  beforeEach(async () => {
    store = memoryStore()
    const readers = createFanOut({ store, log: runLog(store, memoryNotifier()) })
    await store.create(newRun('run_1'), 'reject')
    await store.append('run_1', [
      ...Array.from({ length: ENTRIES }, () => delta('软件'.repeat(3000))),
      { type: 'run.finished', reason: 'stop', usage },
    ])
    closings = []
    sockets = []
    const { app, guard } = createLocalApp(createRoomyLoad(), { stallTimeoutMs: STALLED_MS })
    app.get('/events', async (c) => {
      const run = await store.get(c.req.query('run') ?? 'run_1')
      const after = parseCursor(c.req.query('after') ?? '0')
      if (!run) throw new Error('no run')
      const reading = { run, protocol: native, view: {}, numbered: true, after }
      const closing = new AbortController()
      closings.push(closing)
      return deliver(c, { feed: await readers.open(reading), heartbeat: '', headers: {}, closing })
    })
    listening = await listen(app.fetch, { host: '127.0.0.1', port: 0, ...guard })
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await listening.close()
  })

  const idsIn = (text: string): number[] =>
    [...text.matchAll(/^id: (\d+)-\w+\ndata: .*\n\n/gm)].map(([, id]) => Number(id))
  /** What a client receives that comes back: a busy machine may be so slow that it is disconnected again. */
  const idsAfter = async (last: number): Promise<number[]> => {
    const { body } = await fetch(`${listening.url}/events?after=${last}`)
    let text = ''
    try {
      for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk
      return idsIn(text)
    } catch {
      const ids = idsIn(text)
      expect(ids).not.toEqual([])
      return [...ids, ...(await idsAfter(ids.at(-1) ?? last))]
    }
  }

  it('is disconnected, and gets the rest after its cursor', async () => {
    const socket = openStalledReader(listening.url, 'GET /events HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n')
    sockets.push(socket)

    await expect.poll(() => closings[0]?.signal.aborted, { timeout: 10_000 }).toBe(true)

    // The bytes before the disconnect can still be read.
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    const last = idsIn(received).at(-1) ?? 0
    expect(last).toBeGreaterThan(1)
    expect(last).toBeLessThan(ENTRIES)
    expect(await idsAfter(last)).toEqual(
      Array.from({ length: ENTRIES + 2 - last }, (_none, index) => last + 1 + index),
    )
  })

  it('does not disconnect a slow reader of a large entry', async () => {
    const { run } = await store.create(newRun('run_2', { threadId: 'conv_2' }), 'reject')
    const whole = 'x'.repeat(24 * 2 ** 20)
    await store.append(run.id, [delta(whole), { type: 'run.finished', reason: 'stop', usage }])

    const began = performance.now()
    const { body } = await fetch(`${listening.url}/events?run=run_2`)
    let bytes = 0
    for await (const chunk of body ?? []) {
      bytes += chunk.length
      await new Promise((resolve) => setTimeout(resolve, 5))
    }

    expect(performance.now() - began).toBeGreaterThan(STALLED_MS)
    expect(bytes).toBeGreaterThan(whole.length)
  })
})
