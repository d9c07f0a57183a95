import { describe, expect, it } from 'vitest'

import { clock as realClock } from '../clock.ts'
import { createRequestPacer } from './request-pacer.ts'
import { steppingClock } from './stepping-clock.fixture.ts'

const { signal } = new AbortController()

describe('the pace', () => {
  it('leaves two seconds between requests to one host, and none between hosts', async () => {
    const { clock, paused } = steppingClock()
    const { turn } = createRequestPacer(clock)

    for (const host of ['a', 'b', 'a', 'a']) await turn(host, 0, signal)

    expect(paused).toEqual([2000, 2000])
  })

  it('gives concurrent callers one turn each', async () => {
    const { clock, paused } = steppingClock({ standing: true })
    const { turn } = createRequestPacer(clock)

    await Promise.all(['a', 'a', 'a'].map((host) => turn(host, 0, signal)))

    expect(paused).toEqual([2000, 4000])
  })

  it('respects a site’s delay up to half a minute', async () => {
    const { clock, paused } = steppingClock()
    const { turn } = createRequestPacer(clock)

    for (const gap of [5000, 86_400_000, 0]) await turn('a', gap, signal)

    expect(paused).toEqual([5000, 30_000])
  })

  it('gives the turns of callers who leave to those who stay', async () => {
    const { clock, paused } = steppingClock()
    const { turn } = createRequestPacer(clock)
    const stop = new AbortController()
    await turn('a', 0, signal)

    const others = Array.from({ length: 10 }, () => turn('a', 0, stop.signal))
    const next = turn('a', 0, signal)
    stop.abort(new Error('stopped'))
    await Promise.allSettled(others)
    await next

    expect(paused.reduce((sum, ms) => sum + ms, 0)).toBeLessThanOrEqual(4000)
  })

  it('refuses a caller if too many wait', async () => {
    const { turn } = createRequestPacer(realClock)
    const stop = new AbortController()
    const waiting = Array.from({ length: 20 }, () => turn('a', 0, stop.signal))

    await expect(turn('a', 0, stop.signal)).rejects.toThrow('Too many pages of a are being read')
    stop.abort(new Error('stopped'))
    await Promise.allSettled(waiting)
  })

  it('ends with its signal', async () => {
    const stop = new AbortController()
    const { turn } = createRequestPacer(realClock)
    await turn('a', 0, stop.signal)

    const waiting = turn('a', 0, stop.signal)
    stop.abort(new Error('stopped'))

    await expect(waiting).rejects.toThrow()
  })
})
