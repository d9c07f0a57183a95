import { describe, expect, it } from 'vitest'

import { clock as realClock } from '../clock.ts'
import { createRequestPacer } from './request-pacer.ts'
import { steppingClock } from './stepping-clock.fixture.ts'

const { signal } = new AbortController()
const at = (host: string, userId = 'ada') => ({ host, userId })

describe('the pace', () => {
  it('leaves two seconds between requests to one host, and none between hosts', async () => {
    const { clock, paused } = steppingClock()
    const { turn } = createRequestPacer(clock)

    for (const host of ['a', 'b', 'a', 'a']) await turn(at(host), 0, signal)

    expect(paused).toEqual([2000, 2000])
  })

  it('gives concurrent callers one turn each', async () => {
    const { clock, paused } = steppingClock({ standing: true })
    const { turn } = createRequestPacer(clock)

    await Promise.all(['a', 'a', 'a'].map((host) => turn(at(host), 0, signal)))

    expect(paused).toEqual([2000, 4000])
  })

  it('respects a site’s delay up to half a minute', async () => {
    const { clock, paused } = steppingClock()
    const { turn } = createRequestPacer(clock)

    for (const gap of [5000, 86_400_000, 0]) await turn(at('a'), gap, signal)

    expect(paused).toEqual([5000, 30_000])
  })

  it('gives the turns of callers who leave to those who stay', async () => {
    const { clock, paused } = steppingClock()
    const { turn } = createRequestPacer(clock)
    const stop = new AbortController()
    await turn(at('a'), 0, signal)

    const others = Array.from({ length: 3 }, () => turn(at('a'), 0, stop.signal))
    const next = turn(at('a'), 0, signal)
    stop.abort(new Error('stopped'))
    await Promise.allSettled(others)
    await next

    expect(paused.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(4000)
  })

  it('refuses a user who has too many waiting, and lets users take turns', async () => {
    const { clock } = steppingClock()
    const { turn } = createRequestPacer(clock)
    const order: string[] = []
    const take = (userId: string): Promise<void> =>
      turn(at('a', userId), 0, signal).then(() => void order.push(userId))
    const all = ['eve', 'eve', 'eve', 'eve'].map(take)
    const refusal = take('eve')
    all.push(take('ada'), take('ada'))

    await expect(refusal).rejects.toMatchObject({ code: 'rate-limited', retryAfter: 60 })
    await Promise.all(all)
    expect(order).toEqual(['eve', 'ada', 'eve', 'ada', 'eve', 'eve'])
  })

  it('refuses everybody only if very many users wait', async () => {
    const { turn } = createRequestPacer(realClock)
    const stop = new AbortController()
    const waiting = Array.from({ length: 100 }, (_, index) =>
      turn(at('a', `user${index % 25}`), 0, stop.signal),
    )

    const next = turn(at('a', 'ada'), 0, stop.signal)
    await expect(next).rejects.toMatchObject({
      code: 'unavailable',
      message: 'Too many pages of a are being read: try again in a minute.',
    })
    stop.abort(new Error('stopped'))
    await Promise.allSettled(waiting)
  })

  it('ends with its signal', async () => {
    const stop = new AbortController()
    const { turn } = createRequestPacer(realClock)
    await turn(at('a'), 0, stop.signal)

    const waiting = turn(at('a'), 0, stop.signal)
    stop.abort(new Error('stopped'))

    await expect(waiting).rejects.toThrow()
  })
})
