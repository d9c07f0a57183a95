import { describe, expect, it } from 'vitest'

import { textOf } from '../events/index.ts'
import { request, harnesses, untilAborted } from './harness.fixture.ts'

describe('runs', () => {
  const harness = harnesses()

  describe('start', () => {
    it('one at a time in a thread, and the next is refused with the live one', async () => {
      const { runs } = await harness((_job, host) => untilAborted(host))
      const { run: first } = await runs.start({ ...request, thread: 'chat-1' })

      await expect(runs.start({ ...request, thread: 'chat-1' })).rejects.toMatchObject({
        code: 'thread-busy',
        details: { runId: first.id, messageId: first.messageId, conversationId: first.threadId },
      })
    })

    it('once for a key, which another message may not use', async () => {
      const { runs } = await harness(async () => undefined)
      const keyed = { ...request, thread: 'chat-1', key: 'message:dice/$thread:m1' }
      const { run: first } = await runs.start(keyed)

      expect((await runs.start(keyed)).run.id).toBe(first.id)
      const other = { ...keyed, message: { parts: [{ type: 'text', text: 'another' } as const] } }
      await expect(runs.start(other)).rejects.toMatchObject({ code: 'key-reused' })
    })

    it.each([undefined, 'chat-1'])(
      'with the client’s earlier turns, in a conversation %s',
      async (thread) => {
        const { runs } = await harness(async () => undefined)
        const turns = [
          { role: 'user', text: 'Add milk.' },
          // One that but called a tool there.
          { role: 'assistant', text: '', id: 'a1' },
          { role: 'assistant', text: 'Added.' },
        ] as const

        const { run } = await runs.start({ ...request, ...(thread !== undefined && { thread }), turns })

        const { history = [] } = run.request
        expect(history.map((message) => [message.role, textOf(message)])).toEqual([
          ['user', 'Add milk.'],
          ['assistant', 'Added.'],
        ])
      },
    )

    it('with one lookup of a known thread', async () => {
      let lookups = 0
      const { runs, ended } = await harness(async () => undefined, {
        threads: (own) => ({
          ...own,
          find: (...wanted) => {
            lookups += 1
            return own.find(...wanted)
          },
          open: (thread) => {
            lookups += 1
            return own.open(thread)
          },
        }),
      })
      const named = { ...request, thread: 'chat' }
      await ended((await runs.start(named)).run.id)
      lookups = 0

      const { run } = await runs.start({ ...named, key: 'message:dice/$thread:2' })

      expect(lookups).toBe(1)
      await ended(run.id)
    })

    it('for their user only', async () => {
      const { runs } = await harness(async () => undefined)
      const { id, messageId } = (await runs.start(request)).run

      await expect(runs.get('bob', id)).rejects.toMatchObject({ code: 'not-found' })
      await expect(runs.get('bob', messageId)).rejects.toMatchObject({ code: 'not-found' })
      expect((await runs.get('ada', messageId)).id).toBe(id)
    })
  })
})
