import { beforeEach, describe, expect, it } from 'vitest'

import { DETACHED_PREFIX, type NewRun, type RunEvent } from '../events/index.ts'
import { createOwnerName } from './run-owner.ts'
import type { ClaimableQuery, Store } from './store.ts'

/** Stores of one database: the second as another process would open it. */
export type StorePair = { store: Store; other: Store; close(): Promise<void> }

const text = (delta: string): RunEvent => ({ type: 'text.delta', partId: 'run_1.1', delta })
const finished: RunEvent = {
  type: 'run.finished',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 2 },
}
const ask = (callId: string, expiresAt?: number): RunEvent => ({
  type: 'tool.asked',
  callId,
  question: { kind: 'approval', ...(expiresAt !== undefined && { expiresAt }) },
})
const yes = (callId: string, key?: string): RunEvent => ({
  type: 'tool.answered',
  callId,
  answer: { kind: 'approval', approved: true },
  by: 'ada',
  ...(key !== undefined && { key }),
})

export function newRun(id: string, more: Partial<NewRun> = {}): NewRun {
  return {
    id,
    threadId: 'conv_1',
    userId: 'ada',
    agent: 'dice',
    messageId: `msg_${id}`,
    request: { messageId: `msg_u_${id}`, input: [{ type: 'text', text: '你好' }], context: {}, tools: [] },
    reply: { protocol: 'native', view: {} },
    onCrash: 'continue',
    ...more,
  }
}

/** Who may write as a run's runner, and what a parked run waits for. */
export function describeClaims(pair: () => StorePair): void {
  describe('claims', () => {
    const me = createOwnerName()
    const dead = me.replace(/\/\d+\//, '/4194999/')
    beforeEach(async () => {
      await pair().store.create(newRun('run_1'), 'reject')
    })

    it('gives a run to one owner, under a growing epoch', async () => {
      await pair().store.alive(me, 15_000)
      expect(await pair().store.claim('run_1', me)).toBe(1)
      expect(await pair().other.claim('run_1', 'elsewhere/7/b')).toBeUndefined()
      expect(await pair().other.claimable('elsewhere/7/b')).toEqual([])
    })

    it('takes a run from an owner whose time is over, and fences it', async () => {
      await pair().store.alive('elsewhere/7/b', 15_000)
      await pair().store.claim('run_1', 'elsewhere/7/b')
      await pair().store.append('run_1', [text('a')], { epoch: 1 })
      await pair().store.alive('elsewhere/7/b', 0)

      expect((await pair().other.claimable(me)).map(({ id }) => id)).toEqual(['run_1'])
      expect(await pair().other.claim('run_1', me)).toBe(2)

      await expect(pair().store.append('run_1', [text('b')], { epoch: 1 })).rejects.toMatchObject({
        code: 'fenced',
      })
      await pair().other.append('run_1', [text('c')], { epoch: 2 })
    })

    it('gives runs whose owner is dead, and those whose owner has let go', async () => {
      await pair().store.alive(dead, 15_000)
      await pair().store.claim('run_1', dead)
      expect(await pair().other.claimable(me)).toEqual([{ id: 'run_1', epoch: 1 }])

      await pair().store.alive(dead, 0)
      expect(await pair().other.claimable(me)).toEqual([{ id: 'run_1', epoch: 1 }])
    })

    it('does not give a process its own runs', async () => {
      await pair().store.claim('run_1', me)

      expect(await pair().store.claimable(me)).toEqual([])
    })

    it('gives only runs of the agents that a process has, and detached runs of any agent', async () => {
      await pair().store.create(newRun('run_2', { threadId: 'conv_2', agent: 'coding' }), 'reject')
      await pair().store.create(
        newRun('run_3', { threadId: `${DETACHED_PREFIX}3`, agent: 'titles' }),
        'reject',
      )
      const ids = async (which: ClaimableQuery) =>
        (await pair().other.claimable(me, which)).map(({ id }) => id)

      expect(await ids({ agents: ['dice'] })).toEqual(['run_1', 'run_3'])
      expect(await ids({ agents: [] })).toEqual(['run_3'])
      expect(await ids({ limit: 2 })).toEqual(['run_1', 'run_2'])
    })

    it('gives only runs that need no other place', async () => {
      const { request, ...other } = newRun('run_2', { threadId: 'conv_2' })
      await pair().store.create({ ...other, request: { ...request, place: 'desk' } }, 'reject')
      const ids = async (which: ClaimableQuery) =>
        (await pair().other.claimable(me, which)).map(({ id }) => id)
      expect(await ids({ place: 'attic' })).toEqual(['run_1'])
      expect(await ids({ place: 'desk' })).toEqual(['run_1', 'run_2'])
      expect(await ids({})).toEqual(['run_1', 'run_2'])
    })

    it('sees at once that an owner on this host is dead', async () => {
      await pair().store.alive(dead, 15_000)
      await pair().store.claim('run_1', dead)

      expect((await pair().store.claimable(me)).map(({ id }) => id)).toEqual(['run_1'])
    })

    it('gives no claim on a run that has ended', async () => {
      await pair().store.append('run_1', [finished])

      expect(await pair().store.claim('run_1', me)).toBeUndefined()
      expect(await pair().store.claimable(me)).toEqual([])
    })
  })

  describe('parking', () => {
    const me = 'host/1/a'
    beforeEach(async () => {
      await pair().store.create(newRun('run_1'), 'reject')
      await pair().store.alive(me, 15_000)
      await pair().store.claim('run_1', me)
    })

    it('gives up the claim at run.waiting, and makes the run claimable with its last answer', async () => {
      await pair().store.append('run_1', [ask('a'), ask('b'), { type: 'run.waiting', calls: ['a', 'b'] }], {
        epoch: 1,
      })
      expect((await pair().store.get('run_1'))?.status).toBe('waiting')
      await pair().store.append('run_1', [yes('a')])
      expect(await pair().store.claimable('you')).toEqual([])

      await pair().other.append('run_1', [yes('b', 'answer:dice:b')])

      expect((await pair().store.claimable('you')).map(({ id }) => id)).toEqual(['run_1'])
      expect(await pair().store.find('ada', 'answer:dice:b')).toMatchObject({ id: 'run_1' })
      expect(await pair().store.claim('run_1', 'you')).toBe(2)
      await pair().store.append('run_1', [{ type: 'run.resumed', because: 'answer', attempt: 0 }], {
        epoch: 2,
      })
      expect((await pair().store.get('run_1'))?.status).toBe('running')
    })

    it('is claimed by the last answer itself, where it names a process', async () => {
      const { store, other } = pair()
      await store.append('run_1', [ask('a'), ask('b'), { type: 'run.waiting', calls: ['a', 'b'] }], {
        epoch: 1,
      })
      await other.alive('there/2/b', 15_000)

      await other.append('run_1', [yes('a')], { claimFor: 'there/2/b' })
      expect(await store.get('run_1')).toMatchObject({ status: 'waiting', epoch: 1 })
      await other.append('run_1', [yes('b')], { claimFor: 'there/2/b' })

      expect(await store.get('run_1')).toMatchObject({ status: 'waiting', epoch: 2 })
      expect(await store.claimable(me)).toEqual([])
      expect(await store.claim('run_1', me)).toBeUndefined()
      expect(await other.claim('run_1', 'there/2/b')).toBe(3)
    })

    it('waits anew for a call that is asked again', async () => {
      const { store } = pair()
      await store.append('run_1', [ask('a'), { type: 'run.waiting', calls: ['a'] }], { epoch: 1 })
      await store.append('run_1', [yes('a')])
      expect(await store.claim('run_1', me)).toBe(2)
      const again: RunEvent[] = [
        { type: 'run.resumed', because: 'answer', attempt: 0 },
        ask('a'),
        { type: 'run.waiting', calls: ['a'] },
      ]
      await store.append('run_1', again, { epoch: 2 })
      expect(await store.claimable('you')).toEqual([])

      await store.append('run_1', [yes('a')])

      expect((await store.claimable('you')).map(({ id }) => id)).toEqual(['run_1'])
    })

    it('counts an answer that came before the run was parked', async () => {
      await pair().store.append('run_1', [ask('a'), yes('a'), { type: 'run.waiting', calls: ['a'] }], {
        epoch: 1,
      })

      expect((await pair().store.claimable('you')).map(({ id }) => id)).toEqual(['run_1'])
    })

    it('leaves nothing to wait for after a stop, whatever is answered then', async () => {
      await pair().store.append('run_1', [ask('a'), ask('b'), { type: 'run.waiting', calls: ['a', 'b'] }], {
        epoch: 1,
      })
      await pair().store.append('run_1', [{ type: 'run.stop-requested', by: 'ada' }])

      await pair().other.append('run_1', [yes('a')])

      expect((await pair().store.claimable('you')).map(({ id }) => id)).toEqual(['run_1'])
    })

    it('makes a run claimable when its questions have expired', async () => {
      await pair().store.append('run_1', [ask('a', Date.now() - 1), { type: 'run.waiting', calls: ['a'] }], {
        epoch: 1,
      })

      expect((await pair().store.claimable('you')).map(({ id }) => id)).toEqual(['run_1'])
    })

    it('waits as long as the last question that is open, and not at all once a stop is asked for', async () => {
      const soon = Date.now() - 1
      await pair().store.append(
        'run_1',
        [ask('a'), ask('b', soon), { type: 'run.waiting', calls: ['a', 'b'] }],
        {
          epoch: 1,
        },
      )
      expect(await pair().store.claimable('you')).toEqual([])

      await pair().other.append('run_1', [yes('a')])
      expect((await pair().store.claimable('you')).map(({ id }) => id)).toEqual(['run_1'])

      await pair().store.create(newRun('run_2', { threadId: 'conv_2' }), 'reject', me)
      await pair().store.append('run_2', [ask('c'), { type: 'run.waiting', calls: ['c'] }], { epoch: 1 })
      await pair().other.append('run_2', [{ type: 'run.stop-requested', by: 'ada' }])
      expect((await pair().store.claimable('you')).map(({ id }) => id)).toEqual(['run_1', 'run_2'])
    })

    it('finds a run by the key of a message that has joined it', async () => {
      await pair().store.append('run_1', [{ type: 'user.joined', messageId: 'm', input: [], key: 'steer:1' }])
      expect(await pair().other.find('ada', 'steer:1')).toMatchObject({ id: 'run_1' })
    })

    it('holds its thread while it waits', async () => {
      await pair().store.append('run_1', [ask('a'), { type: 'run.waiting', calls: ['a'] }], { epoch: 1 })

      await expect(pair().store.create(newRun('run_2'), 'reject')).rejects.toMatchObject({
        code: 'thread-busy',
      })
    })
  })
}
