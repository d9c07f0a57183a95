import { describe, expect, it } from 'vitest'

import type { RunEvent } from '../events/index.ts'
import { createOwnerName } from './run-owner.ts'
import { newRun, type StorePair } from './store-claims.contract.ts'

const finished: RunEvent = {
  type: 'run.finished',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 2 },
}
const ask: RunEvent = { type: 'tool.asked', callId: 'c1', question: { kind: 'approval' } }
const yes: RunEvent = {
  type: 'tool.answered',
  callId: 'c1',
  answer: { kind: 'approval', approved: true },
  by: 'ada',
}

/** Which processes have driven a run. */
export function describeClaimHistory(pair: () => StorePair): void {
  describe('the claims of a run', () => {
    const me = createOwnerName()

    it('remembers who has claimed a run, until the run is removed', async () => {
      const { store, other } = pair()
      await store.create(newRun('run_1'), 'reject')
      await store.alive('elsewhere/7/b', 15_000)
      await store.claim('run_1', 'elsewhere/7/b')
      await store.release('run_1', 1)
      await other.claim('run_1', me)
      await other.append('run_1', [finished], { epoch: 2 })

      expect(await store.claims('run_1')).toEqual([
        { epoch: 1, owner: 'elsewhere/7/b', at: expect.any(Number) },
        { epoch: 2, owner: me, at: expect.any(Number) },
      ])
      await store.remove('conv_1')
      expect(await other.claims('run_1')).toEqual([])
    })

    it('remembers the claims of an admission and of an answer', async () => {
      const { store } = pair()
      await store.create(newRun('run_2', { threadId: 'conv_2' }), 'reject', me)
      await store.append('run_2', [ask, { type: 'run.waiting', calls: ['c1'] }], { epoch: 1 })
      await store.append('run_2', [yes], { claimFor: me })

      expect((await store.claims('run_2')).map(({ epoch, owner }) => [epoch, owner])).toEqual([
        [1, me],
        [2, me],
      ])
    })
  })
}
