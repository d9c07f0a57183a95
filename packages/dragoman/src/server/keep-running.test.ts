import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createProcessLog } from '../observability/index.ts'
import { keepRunning } from './keep-running.ts'

describe('keepRunning', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  const start = (work: (signal: AbortSignal) => Promise<void>) => {
    const control = new AbortController()
    const reports: unknown[] = []
    const done = keepRunning(work, control.signal, (error) => reports.push(error))
    return { control, reports, done }
  }

  it.each<[string, () => Promise<void>]>([
    ['rejects', () => Promise.reject(new Error('down'))],
    ['rejects with undefined', () => Promise.reject(undefined)],
    [
      'throws',
      () => {
        throw new Error('down')
      },
    ],
  ])('begins work again that %s, each time after a longer pause', async (_how, fail) => {
    let runs = 0
    const { control, reports, done } = start(() => {
      runs += 1
      return fail()
    })
    await vi.advanceTimersByTimeAsync(999)
    expect(runs).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(runs).toBe(2)
    await vi.advanceTimersByTimeAsync(2000)
    expect(runs).toBe(3)
    expect(reports).toHaveLength(3)

    control.abort()
    await done
  })

  it('begins work again that throws what the process log cannot read', async () => {
    const { report } = createProcessLog('fatal')
    const control = new AbortController()
    let runs = 0
    const trap = () => {
      throw new Error('a trap')
    }
    const done = keepRunning(
      () => {
        runs += 1
        throw new Proxy(new Error('x'), { get: trap, getPrototypeOf: trap })
      },
      control.signal,
      (error) => report(error, 'dice'),
    )
    await vi.advanceTimersByTimeAsync(1000)
    expect(runs).toBe(2)

    control.abort()
    await done
  })

  it('ends with work that returns', async () => {
    const { reports, done } = start(async () => undefined)

    await done
    expect(reports).toEqual([])
  })

  it('reports nothing of work that throws because it was told to end', async () => {
    const { control, reports, done } = start(
      (signal) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
    )
    control.abort()

    await done
    expect(reports).toEqual([])
  })
})
