import { describe, expect, it } from 'vitest'

import type { RunEvent } from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { findLogError } from '../protocols/log-validator.fixture.ts'
import { dead, harnesses, step } from './harness.fixture.ts'

const LIMIT = 100_000
const text = (length: number): RunEvent => ({
  type: 'text.delta',
  partId: 'run_1.1',
  delta: 'x'.repeat(length),
})
const called = (length: number): RunEvent => ({
  type: 'tool.called',
  callId: 'run_1.2',
  tool: 'look',
  input: 'x'.repeat(length),
})
const question = { kind: 'approval' } as const

/** A store that counts the bytes that are read of each log. */
function countReads(store: Store): { readonly store: Store; readonly bytes: () => number } {
  let bytes = 0
  return {
    bytes: () => bytes,
    store: {
      ...store,
      async read(...what) {
        const entries = await store.read(...what)
        bytes += Buffer.byteLength(JSON.stringify(entries))
        return entries
      },
    },
  }
}

describe('a run that ends its process', () => {
  const harness = harnesses()
  const abandoned = async (events: readonly RunEvent[], deaths = 1) => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.create(newRun('run_1'), 'reject', `${dead}0`)
    await shared.store.append('run_1', events, { epoch: 1 })
    for (let n = 1; n < deaths; n += 1) await shared.store.claim('run_1', `${dead}${n}`)
    return shared
  }

  it.each([
    ['many words', Array.from({ length: 3000 }, () => text(1000))],
    ['one entry', [text(LIMIT * 20)]],
    ['one call', [called(LIMIT * 20)]],
    [
      'many small entries',
      Array.from({ length: 10_000 }, (): RunEvent => ({ type: 'text.started', partId: 'p' })),
    ],
  ])('because of its log is ended, and no more of it is read than a run may hold: %s', async (_, events) => {
    const { store, notifier } = await abandoned([step.started, ...events])
    const reads = countReads(store)

    const here = await harness(() => Promise.reject(new Error('Not asked.')), {
      notifier,
      store: reads.store,
      bytesPerRun: LIMIT,
    })
    await here.runs.recovered
    await expect.poll(async () => (await store.get('run_1'))?.status).toBe('failed')

    expect(reads.bytes()).toBeLessThan(LIMIT * 10)
    const { lastSeq = 0 } = (await store.get('run_1')) ?? {}
    expect((await store.read('run_1', lastSeq - 1))[0]?.event).toMatchObject({
      type: 'run.failed',
      failure: { code: 'too-large' },
    })
  })

  const look = [step.started, called(10), { type: 'tool.asked', callId: 'run_1.2', question }] as const
  const answered = {
    type: 'tool.answered',
    callId: 'run_1.2',
    by: 'u',
    answer: { kind: 'approval', approved: true },
  } as const
  it.each<[string, number, readonly RunEvent[]]>([
    ['in its words', 3, [step.started, { type: 'text.started', partId: 'run_1.1' }, text(10)]],
    ['in a tool', 3, [step.started, called(10), { type: 'tool.executing', callId: 'run_1.2' }]],
    // The process that suspended it has not crashed.
    ['after a pause', 4, [...look, step.finished, { type: 'run.waiting', calls: ['run_1.2'] }, answered]],
  ])(
    'before anything is written is closed after three processes, and its agent not asked: %s',
    async (...of) => {
      const [, deaths, events] = of
      const shared = await abandoned(events, deaths)
      const toolsFor = () => Promise.reject(new Error('Not asked.'))
      const here = await harness(() => Promise.reject(new Error('Not asked.')), { ...shared, toolsFor })

      const log = await here.ended('run_1')

      expect(findLogError(log, { complete: true })).toBeUndefined()
      expect(log.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'interrupted' } })
      expect(here.reports).toEqual([])
    },
  )

  it('before anything is written is ended after four processes, and nothing of it is read', async () => {
    const { store, notifier } = await abandoned([step.started], 4)
    const unreadable: Store = { ...store, read: () => Promise.reject(new Error('The heap is full.')) }

    await harness(() => Promise.reject(new Error('Not asked.')), { notifier, store: unreadable })
    await expect.poll(async () => (await store.get('run_1'))?.status).toBe('failed')

    expect((await store.read('run_1', 2))[0]?.event).toMatchObject({
      type: 'run.failed',
      failure: { code: 'interrupted', message: expect.stringContaining('given up') as string },
    })
  })

  it('is continued by the third process', async () => {
    const shared = await abandoned([step.started], 2)
    const here = await harness(async () => undefined, shared)

    expect((await here.ended('run_1')).at(-1)).toMatchObject({ type: 'run.finished' })
  })
})
