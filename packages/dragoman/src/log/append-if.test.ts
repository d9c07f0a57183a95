import { describe, expect, it } from 'vitest'

import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { appendIf } from './append-if.ts'
import { runLog } from './run-log.ts'
import { newRun } from './store-claims.contract.ts'

const shared = (value: number) =>
  ({ type: 'state.changed', by: 'ada', patch: [{ op: 'replace', path: '', value }] }) as const

describe('appendIf', () => {
  it('decides again if another writer has appended meanwhile', async () => {
    const store = memoryStore()
    const log = runLog(store, memoryNotifier())
    const { run } = await store.create(newRun('run_1'), 'reject')
    const decisions: boolean[] = []

    const entries = await appendIf(log, run.id, async (isRetry) => {
      decisions.push(isRetry)
      const ifLast = (await store.get(run.id))?.lastSeq ?? 0
      if (!isRetry) await log.append(run.id, [shared(1)])
      return { events: [shared(2)], ifLast }
    })

    expect(decisions).toEqual([false, true])
    expect(entries).toMatchObject([{ seq: 3, event: shared(2) }])
  })

  it('appends nothing if the decision is to append nothing', async () => {
    const store = memoryStore()
    const { run } = await store.create(newRun('run_1'), 'reject')

    const entries = await appendIf(runLog(store, memoryNotifier()), run.id, async () => undefined)

    expect(entries).toBeUndefined()
    expect(await store.get(run.id)).toMatchObject({ lastSeq: 1 })
  })
})
