import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { LogEntry } from '../events/index.ts'
import { createFollowerInbox } from './follower-inbox.ts'

const entries = (from: number, to: number): LogEntry[] =>
  Array.from({ length: to - from + 1 }, (_none, index) => ({
    seq: from + index,
    at: 0,
    event: { type: 'run.stop-requested', by: 'ada' },
  }))

describe('a follower’s inbox', () => {
  const opened = () => {
    const box = createFollowerInbox(new AbortController().signal)
    box.take(0)
    return box
  }

  it('begins with a read of the log', () => {
    expect(createFollowerInbox(new AbortController().signal).take(0)).toBe('read')
  })

  it('gives entries that were handed over, once', () => {
    const box = opened()
    box.give(entries(1, 2))
    box.give(entries(3, 3))

    expect(box.take(0)).toEqual(entries(1, 3))
    expect(box.take(3)).toEqual([])
  })

  it('asks for a read if other entries come in between', () => {
    const box = opened()
    box.give(entries(1, 1))
    box.give(entries(3, 3))

    expect(box.take(0)).toBe('read')
    expect(box.take(3)).toEqual([])
  })

  it('reads the log after a notification, whatever was handed over', () => {
    const box = opened()
    box.notify()
    box.give(entries(1, 2))

    expect(box.take(0)).toBe('read')
    // The look had the first of them already.
    expect(box.take(1)).toEqual(entries(2, 2))
  })

  it('holds at most 1,000 entries for a slow follower', () => {
    const box = opened()
    box.give(entries(1, 2000))

    expect(box.take(0)).toBe('read')
    expect(box.take(2000)).toEqual([])
  })

  it('holds at most 256 kB of text for a slow follower', () => {
    const box = opened()
    const large = (seq: number): LogEntry => ({
      seq,
      at: 0,
      event: { type: 'text.delta', partId: 'run_1.1', delta: 'x'.repeat(100_000) },
    })
    box.give([large(1), large(2)])
    expect(box.take(0)).toHaveLength(2)

    box.give([large(3), large(4)])
    box.give([large(5)])
    expect(box.take(2)).toBe('read')
    box.give([large(6)])
    expect(box.take(5)).toHaveLength(1)
  })

  it('ends a wait on entries, on a notification, and on the abort', async () => {
    const control = new AbortController()
    const box = createFollowerInbox(control.signal)
    box.take(0)
    for (const wake of [() => box.give(entries(1, 1)), () => box.notify(), () => control.abort()]) {
      const woken = box.ready()
      wake()
      await woken
      box.take(0)
      box.take(1)
    }
    box.close()
  })
})

describe('a follower without notifications', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
  afterEach(() => void vi.useRealTimers())

  it('reads its log again after 15 seconds', async () => {
    const box = createFollowerInbox(new AbortController().signal)
    expect(box.take(0)).toBe('read')
    let came = false
    const coming = box.ready().then(() => (came = true))

    await vi.advanceTimersByTimeAsync(14_999)
    expect(came).toBe(false)
    await vi.advanceTimersByTimeAsync(1)

    await coming
    expect(box.take(0)).toBe('read')
    box.close()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('reads its log sooner where notices get lost, but not while entries come', async () => {
    const box = createFollowerInbox(new AbortController().signal, 2000)
    box.take(0)
    await vi.advanceTimersByTimeAsync(1500)
    box.give(entries(1, 1))
    await vi.advanceTimersByTimeAsync(1500)
    expect(box.take(0)).toEqual(entries(1, 1))

    await vi.advanceTimersByTimeAsync(500)
    expect(box.take(1)).toBe('read')
    box.close()
  })
})
