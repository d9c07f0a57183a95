import { expect, it } from 'vitest'

import { newRun, type StorePair } from './store-claims.contract.ts'
import { changesOf } from './changes.fixture.ts'

/** Runs that become another user's. */
export function describeOwnership(pair: () => StorePair): void {
  const textDelta = { type: 'text.delta', partId: 'run_2.1', delta: 'a' } as const
  const usage = { inputTokens: 1, outputTokens: 2 }
  const finished = { type: 'run.finished', reason: 'stop', usage } as const

  it('gives the runs of one user to another, with their keys', async () => {
    const mine = { threadId: 'conv_2', userId: 'bob', key: 'key:dice:k', aliases: ['key:dice:both'] }
    await pair().store.create(newRun('run_1', { key: 'key:dice:both' }), 'reject')
    await pair().store.create(newRun('run_2', mine), 'reject')
    await pair().store.create(
      newRun('run_3', { threadId: 'conv_3', userId: 'cy', key: 'key:dice:k' }),
      'reject',
    )
    await expect(pair().store.adopt('bob', 'ada')).rejects.toMatchObject({
      code: 'thread-busy',
      details: { runId: 'run_2' },
    })
    expect(await pair().other.find('bob', 'key:dice:k')).toMatchObject({ id: 'run_2', userId: 'bob' })
    await pair().store.append('run_2', [textDelta, finished])
    const { cursor } = await changesOf(pair().store, undefined, 3)

    await pair().store.adopt('bob', 'ada')
    await pair().store.adopt('bob', 'ada')

    for (const each of [pair().store, pair().other]) {
      expect(await each.get('run_2')).toMatchObject({ userId: 'ada', status: 'finished' })
      expect(await each.find('ada', 'key:dice:k')).toMatchObject({ id: 'run_2' })
      expect(await each.find('ada', 'msg_run_2')).toMatchObject({ id: 'run_2' })
      expect(await each.find('ada', 'key:dice:both')).toMatchObject({ id: 'run_1' })
      expect(await each.find('bob', 'key:dice:k')).toBeUndefined()
      expect(await each.find('bob', 'key:dice:both')).toBeUndefined()
      expect(await each.find('bob', 'msg_run_2')).toBeUndefined()
      expect(await each.find('cy', 'key:dice:k')).toMatchObject({ id: 'run_3', userId: 'cy' })
      expect(await each.read('run_2', 0)).toHaveLength(3)
    }
    expect(await pair().store.changed(cursor, 10)).toEqual({ runs: [], cursor })
  })
}
