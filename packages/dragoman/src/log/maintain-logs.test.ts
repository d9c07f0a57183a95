import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { Run } from '../events/index.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { discardRuns, packLogs, pruneLogs, readBacklog, type Store } from './index.ts'
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
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
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

  const report = (error: unknown): void => void reports.push(error)
  const startUpkeep = (
    keepLogs: number,
    projectedTo: () => Promise<string | undefined> = async () => (await store.changed(undefined, 100)).cursor,
    isTrusted = async (): Promise<boolean> => true,
  ) => {
    const retention = { store, keepLogs, projectedTo, pruneAgentData, isTrusted, report }
    return Promise.all([
      packLogs({ store, report }, closing.signal),
      discardRuns({ store, report }, closing.signal),
      keepLogs > 0 && pruneLogs(retention, closing.signal),
    ])
  }
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

  it('deletes old logs on time while there is always more to pack, and to remove', async () => {
    store = { ...store, pack: async (before) => packs.push(before) > 0, discard: async () => true }
    const ended = startUpkeep(1)

    vi.setSystemTime(Date.now() + 1.1 * DAY_MS)
    await vi.advanceTimersByTimeAsync(10_100)
    expect(await run()).toMatchObject({ pruned: true })
    expect(packs.length).toBeGreaterThan(10)
    expect(reports).toEqual([])
    closing.abort()
    await ended
  })

  it('deletes an old log once its messages are in rows, whatever else is not', async () => {
    let position: string | undefined
    const ended = startUpkeep(1, async () => position)
    await store.create(newRun('run_2', { threadId: 'conv_2' }), 'reject')
    const { cursor } = await store.changed(undefined, 100)
    await store.append('run_2', [{ type: 'run.finished', reason: 'stop', usage }])

    vi.setSystemTime(Date.now() + 1.1 * DAY_MS)
    await vi.advanceTimersByTimeAsync(10_100)
    expect(await run()).toMatchObject({ pruned: false })

    position = cursor
    await vi.advanceTimersByTimeAsync(10_100)
    expect(await run()).toMatchObject({ pruned: true })
    expect(await store.get('run_2')).toMatchObject({ pruned: false })
    expect(await store.backlog(0)).toMatchObject({ unpacked: 0 })
    closing.abort()
    await ended
  })

  it('says for how long a log has been due for deletion', async () => {
    vi.setSystemTime(Date.now() + 1.5 * DAY_MS)
    const { overdueMs } = await readBacklog(store, 1)
    expect(overdueMs / DAY_MS).toBeCloseTo(0.5)
    expect(await readBacklog(store, 0)).toMatchObject({ overdueMs: 0 })
    expect(await readBacklog(store, 2)).toMatchObject({ overdueMs: 0 })
  })
})
