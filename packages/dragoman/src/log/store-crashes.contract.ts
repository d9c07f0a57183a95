import { expect, it } from 'vitest'

import type { RunEvent } from '../events/index.ts'
import { createOwnerName } from './run-owner.ts'
import { newRun, type StorePair } from './store-claims.contract.ts'

const text: RunEvent = { type: 'text.delta', partId: 'run_1.1', delta: 'a' }
const resumed: RunEvent = { type: 'run.resumed', because: 'crash', attempt: 1 }

/** How a run counts the processes that it ends. */
export function describeCrashes(pair: () => StorePair): void {
  const processNames = (): string[] =>
    [1, 2, 3].map((n) => createOwnerName().replace(/\/\d+\//, `/419499${n}/`))
  const crashes = async (): Promise<number | undefined> => (await pair().other.get('run_1'))?.crashes

  it('counts the processes that end while they drive a run, until its log gets further', async () => {
    const [first = '', second = '', third = ''] = processNames()
    const { store } = pair()
    await store.create(newRun('run_1'), 'reject', first)
    expect(await crashes()).toBe(0)

    await store.claim('run_1', first)
    expect(await crashes()).toBe(0)
    await store.claim('run_1', second)
    expect(await crashes()).toBe(1)
    const epoch = await store.claim('run_1', third)
    expect(await crashes()).toBe(2)

    await store.append('run_1', [resumed, text, { type: 'run.stop-requested', by: 'ada' }], {
      epoch: epoch ?? 0,
    })
    await store.append('run_1', [text], { epoch: epoch ?? 0 })
    expect(await crashes()).toBe(2)
    await store.append('run_1', [{ type: 'step.started', model: 'm' }], { epoch: epoch ?? 0 })
    expect(await crashes()).toBe(0)
  })

  it('counts none that has let a run go', async () => {
    const [first = '', second = '', third = ''] = processNames()
    const { store } = pair()
    await store.create(newRun('run_1'), 'reject', first)
    await store.append('run_1', [{ type: 'run.waiting', calls: [] }], { epoch: 1 })
    await store.claim('run_1', second)
    expect(await crashes()).toBe(0)

    // It has read a log that waits, and has written nothing.
    await store.claim('run_1', third)
    expect(await crashes()).toBe(1)
  })

  it('counts none that hands a run over, which others may claim at once', async () => {
    const [first = '', second = ''] = processNames()
    const { store, other } = pair()
    await store.create(newRun('run_1'), 'reject', first)
    expect(await other.get('run_1')).not.toHaveProperty('isHandedOver')

    await store.release('run_1', 1)

    expect(await other.get('run_1')).toMatchObject({ status: 'running', isHandedOver: true })
    expect(await other.claimable(second)).toMatchObject([{ id: 'run_1', epoch: 1 }])
    await expect(store.append('run_1', [text], { epoch: 2 })).rejects.toMatchObject({ code: 'fenced' })
    const epoch = (await other.claim('run_1', second)) ?? 0
    expect(epoch).toBe(2)
    expect(await other.get('run_1')).not.toHaveProperty('isHandedOver')
    expect(await crashes()).toBe(0)
    await other.append('run_1', [text], { epoch })
  })

  it('keeps a run that the one who gives it up does not drive any more, or that has ended', async () => {
    const [first = '', second = '', third = ''] = processNames()
    const { store } = pair()
    await store.create(newRun('run_1'), 'reject', first)
    await store.claim('run_1', second)

    await store.release('run_1', 1)
    await store.claim('run_1', third)
    expect(await crashes()).toBe(2)
    const usage = { inputTokens: 0, outputTokens: 0 }
    await store.append('run_1', [{ type: 'run.finished', reason: 'stop', usage }], { epoch: 3 })
    await store.release('run_1', 3)

    expect(await store.get('run_1')).toMatchObject({ status: 'finished' })
    expect(await store.get('run_1')).not.toHaveProperty('isHandedOver')
  })
}
