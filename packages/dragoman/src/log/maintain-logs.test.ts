import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Run } from '../events/index.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { upkeep, type Store } from './index.ts'
import { newRun } from './store-claims.contract.ts'

const DAY_MS = 86_400_000
const usage = { inputTokens: 0, outputTokens: 0 }

describe('the upkeep of logs', () => {
  let store: Store
  let closing: AbortController
  let reports: unknown[]
  let packs: number[]
  let prunes: Date[]
  const pruneAgentData = async (before: Date): Promise<void> => void prunes.push(before)
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
    const memory = memoryStore()
    packs = []
    prunes = []
    store = {
      ...memory,
      pack: async (before) => packs.push(before) % 3 !== 0,
    }
    closing = new AbortController()
    reports = []
    await store.create(newRun('run_1'), 'reject')
    await store.append('run_1', [{ type: 'run.finished', reason: 'stop', usage }])
  })
  afterEach(() => void vi.useRealTimers())

  const startUpkeep = (
    keepLogs: number,
    projected = async (): Promise<void> => undefined,
    isTrusted = async (): Promise<boolean> => true,
  ) =>
    upkeep(
      { store, keepLogs, projected, pruneAgentData, isTrusted, report: (error) => reports.push(error) },
      closing.signal,
    )
  const run = async (): Promise<Run | undefined> => store.get('run_1')

  it('packs logs of runs that ended a minute ago, piece by piece, until its signal aborts', async () => {
    const ended = startUpkeep(0)
    const began = Date.now()

    await vi.advanceTimersByTimeAsync(10_100)
    expect(packs.map((before) => Math.round((before - began) / 1000))).toEqual([-50, -50, -50])

    vi.setSystemTime(Date.now() + 1000 * DAY_MS)
    await vi.advanceTimersByTimeAsync(10_100)
    expect(packs.length).toBeGreaterThan(3)
    expect(await run()).toMatchObject({ pruned: false })
    closing.abort()
    await ended
    expect(vi.getTimerCount()).toBe(0)
  })

  it('removes detached runs ten minutes after their end, and no others', async () => {
    await store.create(newRun('run_2', { threadId: 'once_2' }), 'reject')
    await store.append('run_2', [{ type: 'run.finished', reason: 'stop', usage }])
    const ended = startUpkeep(0)

    await vi.advanceTimersByTimeAsync(595_000)
    expect(await store.get('run_2')).toBeDefined()
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await store.get('run_2')).toBeUndefined()
    expect(await run()).toBeDefined()
    closing.abort()
    await ended
  })

  it('deletes nothing while the clock is not trusted', async () => {
    let trusted = false
    const ended = startUpkeep(1, undefined, async () => trusted)

    vi.setSystemTime(Date.now() + 90 * DAY_MS)
    await vi.advanceTimersByTimeAsync(20_100)
    expect(packs.length).toBeGreaterThan(0)
    expect(await run()).toMatchObject({ pruned: false })
    expect(prunes).toEqual([])
    trusted = true
    await vi.advanceTimersByTimeAsync(10_100)
    expect(await run()).toMatchObject({ pruned: true })
    expect(prunes.map((before) => Math.round((Date.now() - before.getTime()) / DAY_MS))).toEqual([1])
    closing.abort()
    await ended
  })

  it('deletes an old log once its messages are in rows', async () => {
    let broken = true
    const ended = startUpkeep(1, () => (broken ? Promise.reject(new Error('busy')) : Promise.resolve()))

    vi.setSystemTime(Date.now() + 0.9 * DAY_MS)
    broken = false
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await run()).toMatchObject({ pruned: false })

    vi.setSystemTime(Date.now() + 0.2 * DAY_MS)
    broken = true
    await vi.advanceTimersByTimeAsync(10_100)
    expect(await run()).toMatchObject({ pruned: false })
    expect(reports).toHaveLength(1)

    broken = false
    await vi.advanceTimersByTimeAsync(10_100)
    expect(await run()).toMatchObject({ pruned: true })
    closing.abort()
    await ended
  })
})
