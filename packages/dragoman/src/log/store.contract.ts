import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { RunEvent } from '../events/index.ts'
import { describeChanges } from './store-changes.contract.ts'
import { describeCrashes } from './store-crashes.contract.ts'
import { describeClaimHistory } from './store-claim-history.contract.ts'
import { describeOwnership } from './store-ownership.contract.ts'
import { describeClaims, newRun, type StorePair } from './store-claims.contract.ts'
import { describeRetention } from './store-retention.contract.ts'
import type { Store } from './store.ts'

export { newRun }

const text = (delta: string, part = 1): RunEvent => ({ type: 'text.delta', partId: `run_1.${part}`, delta })
const usage = { inputTokens: 1, outputTokens: 2 }
const finished: RunEvent = { type: 'run.finished', reason: 'stop', usage }

/** The promises of the store's port, for each driver. */
export function describeStore(name: string, open: () => Promise<StorePair>): void {
  describe(`${name} as a store`, () => {
    let pair: StorePair
    let store: Store
    beforeEach(async () => {
      pair = await open()
      store = pair.store
    })
    afterEach(() => pair.close())

    describe('admission', () => {
      it('writes run.started with the run', async () => {
        const { run, created } = await store.create(newRun('run_1'), 'reject')
        expect(created).toBe(true)
        expect(run).toMatchObject({ ...newRun('run_1'), status: 'running', epoch: 0, lastSeq: 1 })
        expect((await store.read('run_1', 0)).map(({ seq, event }) => [seq, event.type])).toEqual([
          [1, 'run.started'],
        ])
        expect(await pair.other.get('run_1')).toEqual(run)
      })

      it('refuses a second run of a thread, naming the first, and writes nothing', async () => {
        await store.create(newRun('run_1'), 'reject')
        await expect(pair.other.create(newRun('run_2'), 'reject')).rejects.toMatchObject({
          code: 'thread-busy',
          details: { runId: 'run_1', messageId: 'msg_run_1' },
        })
        expect(await store.get('run_2')).toBeUndefined()
      })

      it('queues a second run where asked to, in order', async () => {
        await store.create(newRun('run_1'), 'queue')
        expect((await store.create(newRun('run_2'), 'queue')).run.status).toBe('queued')
        await store.create(newRun('run_3'), 'queue')
        await store.claim('run_1', 'host/1/a')
        expect((await store.claimable('me')).map(({ id }) => id)).toEqual(['run_1'])

        await store.append('run_1', [finished])

        expect((await store.claimable('me')).map(({ id }) => id)).toEqual(['run_2'])
      })

      it('gives the run that has the key, to its user only', async () => {
        const keyed = { key: 'key:dice:k1' }
        await store.create(newRun('run_1', keyed), 'reject')

        expect(await store.create(newRun('run_2', keyed), 'reject')).toMatchObject({
          created: false,
          run: { id: 'run_1' },
        })
        expect(await store.find('ada', 'key:dice:k1')).toMatchObject({ id: 'run_1' })
        expect(await store.find('bob', 'key:dice:k1')).toBeUndefined()
        const bobs = newRun('run_3', { ...keyed, userId: 'bob', threadId: 'conv_2' })
        expect((await store.create(bobs, 'reject')).created).toBe(true)
      })

      it('gives the run that has any of the keys', async () => {
        await store.create(newRun('run_1', { key: 'a', aliases: ['b'] }), 'reject')

        for (const other of [{ key: 'b' }, { key: 'c', aliases: ['a'] }])
          expect((await pair.other.create(newRun('run_2', other), 'reject')).run.id).toBe('run_1')
        expect(await store.find('ada', 'b')).toMatchObject({ id: 'run_1', key: 'a' })
      })

      it('claims it at once for whom it is told, but not one that is queued', async () => {
        const first = await store.create(newRun('run_1'), 'queue', 'host/1/a')
        const second = await store.create(newRun('run_2'), 'queue', 'host/1/a')

        expect(first.run).toMatchObject({ epoch: 1, status: 'running' })
        expect(second.run).toMatchObject({ epoch: 0, status: 'queued' })
      })

      it('finds a run by the message that it writes', async () => {
        await store.create(newRun('run_1'), 'reject')

        expect(await store.find('ada', 'msg_run_1')).toMatchObject({ id: 'run_1' })
        expect(await store.find('bob', 'msg_run_1')).toBeUndefined()
      })

      it('lists a thread, newest first, by pages', async () => {
        for (const id of ['run_1', 'run_2', 'run_3']) await store.create(newRun(id), 'queue')

        expect((await store.list('conv_1', { limit: 2 })).map(({ id }) => id)).toEqual(['run_3', 'run_2'])
        expect((await store.list('conv_1', { before: 'run_2', limit: 2 })).map(({ id }) => id)).toEqual([
          'run_1',
        ])
      })

      it('lists of a thread what has not ended', async () => {
        for (const id of ['run_1', 'run_2', 'run_3']) await store.create(newRun(id), 'queue')
        await store.append('run_2', [finished])

        const live = await store.list('conv_1', { limit: 3, live: true })
        expect(live.map(({ id, status }) => [id, status])).toEqual([
          ['run_3', 'queued'],
          ['run_1', 'running'],
        ])
        const before = { before: 'run_3', limit: 3, live: true } as const
        expect((await store.list('conv_1', before)).map(({ id }) => id)).toEqual(['run_1'])
      })

      it('summarizes those of some runs that there are', async () => {
        for (const id of ['run_1', 'run_2', 'run_3']) await store.create(newRun(id), 'queue')
        await store.append('run_1', [finished])

        const found = await store.summaries(['run_3', 'run_1', 'nonesuch'])
        expect(found.map(({ id, status }) => `${id} ${status}`).toSorted()).toEqual([
          'run_1 finished',
          'run_3 queued',
        ])
      })
    })

    describe('the log', () => {
      beforeEach(async () => {
        await store.create(newRun('run_1'), 'reject')
      })

      it('gives back the very same entries, whatever their ids look like', async () => {
        const events: RunEvent[] = [
          { type: 'step.started', model: 'offline' },
          { type: 'text.started', partId: 'run_1.1' },
          text('软件 \u0000 😀 "quoted"'),
          { type: 'reasoning.delta', partId: 'elsewhere', delta: '' },
          text('\ud83d'),
          { type: 'tool.delta', callId: 'run_1.007', delta: '{"a' },
          { type: 'tool.delta', callId: 'run_1.12', delta: '":1}' },
          { type: 'tool.progressed', callId: 'run_1.12', output: { done: 1 } },
          { type: 'data', name: 'card', value: [1, null, 'x'] },
        ]

        const appended = await store.append('run_1', events)

        expect(appended.map(({ event }) => event)).toEqual(events)
        expect(appended.map(({ seq }) => seq)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10])
        expect(await store.read('run_1', 1)).toEqual(appended)
        expect(await pair.other.read('run_1', 1)).toEqual(appended)
      })

      it('gives concurrent writers distinct places', async () => {
        const stores = [store, pair.other, store, pair.other]
        await Promise.all(stores.map((each, index) => each.append('run_1', [text(String(index))])))

        expect((await store.read('run_1', 0)).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
      })

      it('reads a part: after, to, limit, structure', async () => {
        await store.append('run_1', [
          text('a'),
          { type: 'text.ended', partId: 'run_1.1' },
          text('b'),
          text('c'),
        ])

        expect((await store.read('run_1', 2, { to: 4 })).map(({ seq }) => seq)).toEqual([3, 4])
        expect((await store.read('run_1', 0, { limit: 2 })).map(({ seq }) => seq)).toEqual([1, 2])
        expect((await store.read('run_1', 0, { structure: true })).map(({ seq }) => seq)).toEqual([1, 3])
        expect(await store.read('run_1', 5)).toEqual([])
        const merged = await store.read('run_1', 1, { joined: true })
        expect(merged.map(({ seq, event }) => [seq, 'delta' in event ? event.delta : event.type])).toEqual([
          [2, 'a'],
          [3, 'text.ended'],
          [5, 'bc'],
        ])
      })

      it('lets time never go back', async () => {
        for (const delta of 'abc') await store.append('run_1', [text(delta)])

        const times = (await store.read('run_1', 0)).map(({ at }) => at)
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(Math.abs(Date.now() - (times[0] ?? 0))).toBeLessThan(60_000)
      })

      it('is closed for good by a terminal entry', async () => {
        await store.append('run_1', [text('a'), finished])

        expect((await store.get('run_1'))?.status).toBe('finished')
        await expect(store.append('run_1', [text('late')])).rejects.toMatchObject({ code: 'run-closed' })
        expect(await store.read('run_1', 0)).toHaveLength(3)
      })

      it('refuses what rests on a stale view, and takes nothing else with it', async () => {
        const [first, , third] = await Promise.allSettled([
          store.append('run_1', [text('a')], { ifLast: 1 }),
          store.append('run_1', [text('b'), finished], { ifLast: 1 }),
          store.append('run_1', [text('c')]),
        ])

        expect([first.status, third.status]).toEqual(['fulfilled', 'fulfilled'])
        await expect(store.append('run_1', [text('d')], { ifLast: 1 })).rejects.toMatchObject({
          code: 'conflict',
        })
        expect((await store.read('run_1', 1)).map(({ event }) => 'delta' in event && event.delta)).toEqual([
          'a',
          'c',
        ])
      })

      it('judges by the log as it is after an append by another process', async () => {
        await pair.other.append('run_1', [text('a')])
        await store.append('run_1', [text('b')])

        expect(await pair.other.append('run_1', [text('c')], { ifLast: 3 })).toMatchObject([{ seq: 4 }])
      })

      it('says that there is no such run', async () => {
        await expect(store.read('run_9', 0)).rejects.toMatchObject({ code: 'not-found' })
        await expect(store.append('run_9', [text('a')])).rejects.toMatchObject({ code: 'not-found' })
      })
    })

    describeClaims(() => pair)
    describeRetention(() => pair)
    describeCrashes(() => pair)
    describeClaimHistory(() => pair)
    describeOwnership(() => pair)
    describeChanges(() => pair)

    it('forgets a thread wholly', async () => {
      await store.create(newRun('run_1', { key: 'key:dice:k' }), 'reject')

      await store.remove('conv_1')

      expect(await store.get('run_1')).toBeUndefined()
      expect(await store.find('ada', 'key:dice:k')).toBeUndefined()
      await expect(store.read('run_1', 0)).rejects.toMatchObject({ code: 'not-found' })
    })
  })
}
