import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { LogEntry } from '../events/index.ts'
import { inbox } from './inbox.ts'

const entries = (from: number, to: number): LogEntry[] =>
  Array.from({ length: to - from + 1 }, (_none, index) => ({
    seq: from + index,
    at: 0,
    event: { type: 'run.stop-requested', by: 'ada' },
  }))

describe('the inbox of a follower', () => {
  const opened = () => {
    const box = inbox(new AbortController().signal)
    box.take(0)
    return box
  }

  it('begins with a look at the log', () => {
    expect(inbox(new AbortController().signal).take(0)).toBe('look')
  })

  it('gives what was handed over, once', () => {
    const box = opened()
    box.give(entries(1, 2))
    box.give(entries(3, 3))

    expect(box.take(0)).toEqual(entries(1, 3))
    expect(box.take(3)).toEqual([])
  })

  it('has the log asked where others have written in between', () => {
    const box = opened()
    box.give(entries(1, 1))
    box.give(entries(3, 3))

    expect(box.take(0)).toBe('look')
    expect(box.take(3)).toEqual([])
  })

  it('loses no word of others to what is handed over', () => {
    const box = opened()
    box.tell()
    box.give(entries(1, 2))

    expect(box.take(0)).toBe('look')
    // The look had the first of them already.
    expect(box.take(1)).toEqual(entries(2, 2))
  })

  it('keeps little for one who is slow', () => {
    const box = opened()
    box.give(entries(1, 2000))

    expect(box.take(0)).toBe('look')
    expect(box.take(2000)).toEqual([])
  })

  it('wakes who waits: for entries, for word, and at the end', async () => {
    const gone = new AbortController()
    const box = inbox(gone.signal)
    box.take(0)
    for (const wake of [() => box.give(entries(1, 1)), () => box.tell(), () => gone.abort()]) {
      const woken = box.come()
      wake()
      await woken
      box.take(0)
      box.take(1)
    }
    box.end()
  })
})

describe('a follower whose notifications are lost', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  it('looks at its log again after 15 seconds', async () => {
    const box = inbox(new AbortController().signal)
    expect(box.take(0)).toBe('look')
    let came = false
    const coming = box.come().then(() => (came = true))

    await vi.advanceTimersByTimeAsync(14_999)
    expect(came).toBe(false)
    await vi.advanceTimersByTimeAsync(1)

    await coming
    expect(box.take(0)).toBe('look')
    box.end()
    expect(vi.getTimerCount()).toBe(0)
  })
})
