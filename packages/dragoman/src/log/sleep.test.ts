import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { sleep } from './sleep.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
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

it('wakes once in two seconds for loops of two seconds and more, whenever they began', async () => {
  const stop = new AbortController()
  const starts: number[] = []
  const loop = async (ms: number): Promise<void> => {
    for (; !stop.signal.aborted; await sleep(ms, stop.signal)) starts.push(performance.now())
  }
  for (const ms of [2000, 2000, 3000, 5000, 10_000]) {
    void loop(ms)
    await vi.advanceTimersByTimeAsync(730)
  }
  const before = starts.length
  await vi.advanceTimersByTimeAsync(60_000)
  stop.abort()

  expect(new Set(starts.slice(before).map(Math.round)).size).toBeLessThanOrEqual(30)
})

it('ends with the signal, and leaves no timer', async () => {
  const stop = new AbortController()
  const pauses = [sleep(10, stop.signal), sleep(60_000, stop.signal), sleep(2 ** 31 - 1, stop.signal)]
  stop.abort()

  await Promise.all(pauses)
  expect(vi.getTimerCount()).toBe(0)
})
