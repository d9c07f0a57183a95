import { setImmediate } from 'node:timers/promises'

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { RunEvent } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { logWriter, runLog } from './index.ts'
import { newRun } from './store-claims.contract.ts'

const delta = (text: string, partId = 'run_1.1'): RunEvent => ({ type: 'text.delta', partId, delta: text })
const started: RunEvent = { type: 'text.started', partId: 'run_1.1' }

describe('a log writer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const rig = async (options: Partial<Parameters<typeof logWriter>[0]> = {}) => {
    const store = memoryStore()
    await store.create(newRun('run_1'), 'reject')
    const epoch = (await store.claim('run_1', 'host/1/a')) ?? 0
    const refusals: unknown[] = []
    const log = runLog(store, memoryNotifier())
    const writer = logWriter({
      log,
      runId: 'run_1',
      epoch,
      lastSeq: 1,
      onRefused: (error) => refusals.push(error),
      ...options,
    })
    const readLog = async (): Promise<unknown[]> =>
      (await store.read('run_1', 1)).map(({ event }) => ('delta' in event ? event.delta : event.type))
    return { store, writer, refusals, written: readLog }
  }

  it('commits all events but further deltas at once, in order', async () => {
    const { writer, written } = await rig()

    for (const event of [started, delta('first')]) void writer.write(event)
    await writer.flush()
    void writer.write(delta('second'))
    await Promise.resolve()

    expect(await written()).toEqual(['text.started', 'first'])
    await vi.advanceTimersByTimeAsync(5)
    expect(await written()).toEqual(['text.started', 'first', 'second'])
  })

  it('joins neighbouring deltas of one part only', async () => {
    const { writer, written } = await rig()
    for (const event of [started, delta('1')]) void writer.write(event)
    await writer.flush()

    for (const event of [delta('a'), delta('b'), delta('c', 'run_1.2'), delta('d')]) void writer.write(event)
    await writer.flush()

    expect((await written()).slice(2)).toEqual(['ab', 'c', 'd'])
  })

  it('flushes after its timer found nothing to do', async () => {
    const { writer, written } = await rig()
    for (const event of [started, delta('1')]) void writer.write(event)
    await setImmediate()
    // The commit that is under way takes this one along, and leaves its timer behind.
    void writer.write(delta('2'))
    await vi.advanceTimersByTimeAsync(5)

    void writer.write(delta('3'))
    expect(await writer.flush()).toBe(5)
    expect((await written()).join('')).toBe('text.started123')
  })

  it('commits when it is its turn once it is far ahead', async () => {
    const turns: (() => Promise<void>)[] = []
    const onFull = (commit: () => Promise<void>) => {
      turns.push(commit)
      return commit()
    }
    const { writer } = await rig({ onFull })

    expect(writer.write(delta('a'.repeat(60_000)))).toBeUndefined()
    expect(turns).toEqual([])
    await writer.write(delta('a'.repeat(60_000)))
    expect(turns).toHaveLength(1)
  })

  it('returns a promise only when it is 256 events ahead', async () => {
    const { writer } = await rig()
    const waits = Array.from({ length: 300 }, (_none, index) => writer.write(delta('x', `run_1.${index}`)))

    expect(waits.findIndex((wait) => wait !== undefined)).toBe(256)
    await waits.at(-1)
    expect(writer.write(delta('y'))).toBeUndefined()
  })

  it('reports a refusal of the store once, and writes nothing more', async () => {
    const { store, writer, refusals, written } = await rig()
    await store.append('run_1', [
      { type: 'run.finished', reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } },
    ])

    void writer.write(started)
    await expect(writer.flush()).rejects.toMatchObject({ code: 'run-closed' })
    void writer.write(delta('late'))
    await expect(writer.flush()).rejects.toMatchObject({ code: 'run-closed' })

    expect(refusals).toHaveLength(1)
    expect(await written()).toEqual(['run.finished'])
  })
})
