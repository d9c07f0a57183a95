import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { dataStream, native } from '../../protocols/index.ts'
import { createWaiter, type Feed } from '../fan-out/feed.ts'
import type { HttpEnv } from './http-env.ts'
import { deliverFeeds } from './respond-with-feed.ts'
import { deliver } from './index.ts'

type Step = string | Error

/** A feed that returns the scripted steps one at a time, and counts what is taken. */
function scriptedFeed(...all: Step[]) {
  const { wait, tell } = createWaiter()
  const state = { taken: 0, closed: 0 }
  const feed: Feed = {
    take() {
      const next = all[0]
      if (next === undefined) return 'end'
      if (next === 'wait') return next
      all.shift()
      state.taken += 1
      if (next instanceof Error) throw next
      return new TextEncoder().encode(next)
    },
    whenMore: wait,
    close: () => void (state.closed += 1),
  }
  const go = (...more: Step[]): void => {
    all.splice(0, 1, ...more)
    tell()
  }
  return { feed, state, go }
}

describe('deliver', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const open = async (feed: Feed, heartbeat = native.heartbeat) => {
    const closing = new AbortController()
    const app = new Hono<HttpEnv>()
    app.use(deliverFeeds(60_000))
    app.get('/', (c) => deliver(c, { feed, heartbeat, headers: { 'x-run-id': 'run_1' }, closing }))
    const response = await app.request('/')
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const text = async (): Promise<string | undefined> => {
      const { value } = await reader.read()
      return value && new TextDecoder().decode(value)
    }
    return { gone: closing, reader, text, response }
  }

  it('takes from the feed only when the socket accepts bytes', async () => {
    const { feed, state } = scriptedFeed('1', '2', '3')
    const { text, response } = await open(feed)

    await vi.advanceTimersByTimeAsync(1000)
    expect(state.taken).toBe(0)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    expect(response.headers.get('x-run-id')).toBe('run_1')
    expect([await text(), await text()]).toEqual(['1', '2'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(state.taken).toBe(2)
  })

  it.each([
    ['a comment', native.heartbeat, ': ping\n\n'],
    ['an empty line', dataStream.heartbeat, '\n'],
    ['a comment, and no frame before the first of the run', 'data: {"type":"ping"}\n\n', ': ping\n\n'],
  ])(
    'sends %s as heartbeat before the first bytes and after 15 s of silence',
    async (_name, heartbeat, beat) => {
      const { feed, go } = scriptedFeed('wait')
      const { text } = await open(feed, heartbeat)

      for (const silence of [50, 15_000, 15_000]) {
        const nextText = text()
        await vi.advanceTimersByTimeAsync(silence)
        expect(await nextText).toBe(beat)
      }
      const nextText = text()
      await vi.advanceTimersByTimeAsync(14_000)
      go('at last')
      expect(await nextText).toBe('at last')
      expect(await text()).toBeUndefined()
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('sends a heartbeat that is a frame after the first frame', async () => {
    const ping = 'data: {"type":"ping"}\n\n'
    const { feed } = scriptedFeed('start', 'wait')
    const { text } = await open(feed, ping)

    expect(await text()).toBe('start')
    const nextText = text()
    await vi.advanceTimersByTimeAsync(15_000)
    expect(await nextText).toBe(ping)
  })

  it('sends no heartbeat before bytes that are available', async () => {
    const { feed, go } = scriptedFeed('first', 'wait')
    const { text } = await open(feed)

    expect(await text()).toBe('first')
    const nextText = text()
    await vi.advanceTimersByTimeAsync(14_000)
    go('second')
    expect(await nextText).toBe('second')
  })

  it('ends with its feed, and closes it when the reader disconnects', async () => {
    const whole = scriptedFeed('one')
    const first = await open(whole.feed)
    expect([await first.text(), await first.text()]).toEqual(['one', undefined])

    const silent = scriptedFeed('one', 'wait')
    const second = await open(silent.feed)
    await second.text()
    await second.reader.cancel()

    expect(second.gone.signal.aborted).toBe(true)
    expect([whole.state.closed, silent.state.closed]).toEqual([1, 1])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('fails when its feed fails, without a clean end', async () => {
    const { feed, state } = scriptedFeed('half', new Error('the store is gone'))
    const { text } = await open(feed)

    await text()
    await expect(text()).rejects.toThrow('the store is gone')
    expect(state.closed).toBe(1)
  })

  it('closes the feed when the response became an error', async () => {
    const { feed, state } = scriptedFeed('never')
    const app = new Hono<HttpEnv>()
    app.onError((_error, c) => c.text('broken', 500))
    app.use(deliverFeeds(60_000))
    app.use(async (_c, next) => {
      await next()
      throw new Error('a header that cannot be')
    })
    app.get('/', (c) => deliver(c, { feed, heartbeat: '', headers: {}, closing: new AbortController() }))

    expect((await app.request('/')).status).toBe(500)
    expect(state).toEqual({ taken: 0, closed: 1 })
  })
})
