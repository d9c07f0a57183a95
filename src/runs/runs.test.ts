import { hostname } from 'node:os'

import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { runLog, type Store } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { request, rigs, untilAborted } from './rig.fixture.ts'

describe('runs', () => {
  const rig = rigs()

  describe('are admitted', () => {
    it('one at a time in a thread; the next is refused with the live one', async () => {
      const { runs } = await rig((_job, host) => untilAborted(host))
      const first = await runs.start({ ...request, thread: 'chat-1' })

      await expect(runs.start({ ...request, thread: 'chat-1' })).rejects.toMatchObject({
        code: 'thread-busy',
        details: { runId: first.id, messageId: first.messageId, conversationId: first.threadId },
      })
    })

    it('once for a key: again gives the same run, with another message it is refused', async () => {
      const { runs } = await rig(async () => undefined)
      const keyed = { ...request, thread: 'chat-1', key: 'message:jobs/$thread:m1' }
      const first = await runs.start(keyed)

      expect((await runs.start(keyed)).id).toBe(first.id)
      const other = { ...keyed, message: { parts: [{ type: 'text', text: 'another' } as const] } }
      await expect(runs.start(other)).rejects.toMatchObject({ code: 'key-reused' })
    })

    it('and are their user’s alone', async () => {
      const { runs } = await rig(async () => undefined)
      const { id, messageId } = await runs.start(request)

      await expect(runs.get('bob', id)).rejects.toMatchObject({ code: 'not-found' })
      await expect(runs.get('bob', messageId)).rejects.toMatchObject({ code: 'not-found' })
      expect((await runs.get('ada', messageId)).id).toBe(id)
    })
  })

  describe('whose process died', () => {
    it('are ended as interrupted; a tool that had begun has an unknown outcome; the thread takes the next', async () => {
      const shared = { store: memoryStore(), notifier: memoryNotifier() }
      const { store } = shared
      await store.create(newRun('run_1'), 'reject')
      await store.claim('run_1', `${hostname()}/4194999/dead`)
      await store.append('run_1', [
        { type: 'step.started', model: 'm' },
        { type: 'tool.called', callId: 'run_1.1', tool: 'act', input: {} },
        { type: 'tool.called', callId: 'run_1.2', tool: 'act', input: {} },
        { type: 'tool.executing', callId: 'run_1.1' },
      ])

      const here = await rig(async () => undefined, shared)

      expect((await here.ended('run_1')).slice(-4)).toMatchObject([
        { type: 'tool.failed', callId: 'run_1.1', failure: { code: 'outcome-unknown' } },
        { type: 'tool.failed', callId: 'run_1.2', failure: { code: 'interrupted' } },
        { type: 'step.finished', reason: 'interrupted' },
        { type: 'run.failed', failure: { code: 'interrupted' } },
      ])
      expect((await store.create(newRun('run_2'), 'reject')).created).toBe(true)
    })

    it('between our look and our claim are never begun a second time', async () => {
      const shared = { store: memoryStore(), notifier: memoryNotifier() }
      const { store } = shared
      await store.create(newRun('run_1'), 'reject')
      const elsewhere = `${hostname()}/4194999/dead/x`
      const late: Store = {
        ...store,
        claim: async (runId, owner) => {
          // Another process claims it, begins a tool, and dies, just before we do.
          if (owner !== elsewhere && (await store.get(runId))?.epoch === 0) {
            await store.claim(runId, elsewhere)
            await store.append(runId, [
              { type: 'tool.called', callId: 'run_1.1', tool: 'pay', input: {} },
              { type: 'tool.executing', callId: 'run_1.1' },
            ])
          }
          return store.claim(runId, owner)
        },
      }
      let begun = 0
      const here = await rig(
        async () => {
          begun += 1
        },
        { ...shared, store: late },
      )

      const events = await here.ended('run_1')

      expect(begun).toBe(0)
      expect(events.slice(-2)).toMatchObject([
        { type: 'tool.failed', failure: { code: 'outcome-unknown' } },
        { type: 'run.failed', failure: { code: 'interrupted' } },
      ])
    })

    it('before they began are begun', async () => {
      const shared = { store: memoryStore(), notifier: memoryNotifier() }
      await shared.store.create(newRun('run_1'), 'reject')

      const here = await rig(async () => undefined, shared)

      expect(await here.types('run_1')).toEqual(['run.started', 'run.finished'])
    })
  })

  describe('whose store cannot write', () => {
    it('are let go, and ended by this very process once it can', async () => {
      const kept = memoryStore()
      let full = false
      const store: Store = {
        ...kept,
        append: (...args) =>
          full ? Promise.reject(new ServiceError('unavailable', 'The disk is full.')) : kept.append(...args),
      }
      const more = Promise.withResolvers<void>()
      const here = await rig(
        async (_job, host) => {
          await host.emit({ type: 'step.started', model: 'm' })
          await more.promise
          await host.emit({ type: 'text.started', partId: 't' })
          await untilAborted(host)
          full = false
        },
        { store },
      )
      const { id } = await here.runs.start(request)
      for await (const entries of runLog(kept, here.notifier).follow(id, 0, AbortSignal.timeout(5000))) {
        if (entries.some(({ event }) => event.type === 'step.started')) break
      }

      full = true
      more.resolve()

      expect((await here.types(id)).slice(-2)).toEqual(['step.finished', 'run.failed'])
      expect(here.letGo).toEqual([id])
    })
  })
})
