import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { emptyMessage, fold, isStructural, type RunEvent } from '../events/index.ts'
import { runLog } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { completeLogs } from '../protocols/arbitrary-logs.fixture.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { runSnapshots } from './run-snapshots.ts'

const lengths = fc.array(fc.constantFrom(1, 1, 90_000, 300_000), { minLength: 1 })

it('come to what the log folds to in one piece, up to any entry', async () => {
  let large = 0
  await fc.assert(
    fc.asyncProperty(completeLogs, lengths, fc.nat(), async (log, sizes, cut) => {
      await using store = memoryStore()
      await store.create(newRun('run_1'), 'reject')
      const events = log.slice(1).map(({ event }, at) => grow(event, sizes[at % sizes.length] ?? 1))
      await store.append('run_1', events)
      const run = await store.get('run_1')
      if (!run) throw new Error('no run')
      const all = await store.read(run.id, 0, { limit: 1e9 })
      const to = 1 + (cut % all.length)
      const snapshots = runSnapshots({ store, log: runLog(store, memoryNotifier()) })

      const { bytes, read } = await snapshots.snapshot(run, to)
      const message = await read()

      const whole = all.slice(0, to).reduce((m, { event }) => fold(m, event), emptyMessage(run.messageId))
      expect(message).toEqual(whole)
      expect(await snapshots.soFar(run)).toMatchObject({
        status: expect.not.stringMatching('streaming') as string,
      })
      const structure = all.filter(({ event }) => isStructural(event))
      expect((await snapshots.structure(run)).map(({ seq, event }) => [seq, event.type])).toEqual(
        structure.map(({ seq, event }) => [seq, event.type]),
      )
      expect(await snapshots.pause(run, new AbortController().signal)).toBe(run.lastSeq)
      if (bytes > 1e6) large += 1
    }),
    { numRuns: 50 },
  )
  expect(large).toBeGreaterThan(0)
})

function grow(event: RunEvent, length: number): RunEvent {
  return event.type === 'text.delta' ? { ...event, delta: event.delta.padEnd(length, 'x') } : event
}
