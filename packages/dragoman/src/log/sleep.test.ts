import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { noteActivity, sleep } from './sleep.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  noteActivity()
})
afterEach(() => void vi.useRealTimers())

it('ends long pauses at common moments, so that one timer is enough', async () => {
  const { signal } = new AbortController()
  const ends: number[] = []
  for (const ms of [1000, 1100, 1400]) void sleep(ms, signal).then(() => ends.push(performance.now()))

  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1400)
  expect(new Set(ends).size).toBe(1)
  expect(ends).toHaveLength(3)
})

it('keeps a loop of one second at one second, however long its work takes', async () => {
  const stop = new AbortController()
  const starts: number[] = []
  const loop = async (): Promise<void> => {
    for (; !stop.signal.aborted; await sleep(1000, stop.signal)) {
      starts.push(performance.now())
      await sleep(starts.length * 7, stop.signal)
    }
  }
  void loop()
  await vi.advanceTimersByTimeAsync(10_000)
  stop.abort()

  const pauses = starts.slice(2).map((start, at) => start - (starts[at + 1] ?? 0))
  expect(new Set(pauses.map(Math.round))).toEqual(new Set([1000]))
})

/** The moments at which loops of two seconds and more begin, from now on. */
async function startLoops(signal: AbortSignal): Promise<Set<number>> {
  const starts = new Set<number>()
  const loop = async (ms: number): Promise<void> => {
    for (; !signal.aborted; await sleep(ms, signal)) starts.add(Math.round(performance.now()))
  }
  for (const ms of [2000, 2000, 3000, 5000, 10_000]) {
    void loop(ms)
    await vi.advanceTimersByTimeAsync(730)
  }
  starts.clear()
  return starts
}

it('wakes once in two seconds for loops of two seconds and more, whenever they began', async () => {
  const stop = new AbortController()
  const starts = await startLoops(stop.signal)
  for (let second = 0; second < 60; second++) {
    noteActivity()
    await vi.advanceTimersByTimeAsync(1000)
  }
  stop.abort()

  expect(starts.size).toBeGreaterThanOrEqual(28)
  expect(starts.size).toBeLessThanOrEqual(30)
})

it('wakes once in seven seconds while nothing happens, and soon after something has happened', async () => {
  const stop = new AbortController()
  const starts = await startLoops(stop.signal)
  await vi.advanceTimersByTimeAsync(15_000)
  starts.clear()
  await vi.advanceTimersByTimeAsync(70_000)
  const idle = starts.size
  await vi.advanceTimersByTimeAsync(7000 - (performance.now() % 7000) + 500)
  starts.clear()
  noteActivity()
  await vi.advanceTimersByTimeAsync(4000)
  stop.abort()

  expect(idle).toBe(10)
  expect([1, 2]).toContain(starts.size)
})

it('ends each pause in time, whenever something happens meanwhile', async () => {
  const round = fc.record({
    quiet: fc.nat(20_000),
    ms: fc.integer({ min: 500, max: 9000 }),
    wait: fc.nat(12_000),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 8 }), async (rounds) => {
      const stop = new AbortController()
      const late: number[] = []
      for (const { quiet, ms, wait } of rounds) {
        await vi.advanceTimersByTimeAsync(quiet)
        const due = performance.now() + ms
        void sleep(ms, stop.signal).then(() => late.push(performance.now() - due))
        await vi.advanceTimersByTimeAsync(wait)
        noteActivity()
      }
      await vi.advanceTimersByTimeAsync(20_000)
      expect(late).toHaveLength(rounds.length)
      expect(Math.max(0, ...late)).toBeLessThan(8000)
      expect(vi.getTimerCount()).toBe(0)
    }),
  )
})

it('ends with the signal, and leaves no timer', async () => {
  const stop = new AbortController()
  const pauses = [sleep(10, stop.signal), sleep(60_000, stop.signal), sleep(2 ** 31 - 1, stop.signal)]
  stop.abort()

  await Promise.all(pauses)
  expect(vi.getTimerCount()).toBe(0)
})
