import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { RunEvent } from '../events/index.ts'
import { threadTables } from './tables.ts'
import { createTestConversation, type TestConversation } from './conversation.fixture.ts'

const HOUR = 3_600_000

describe('open questions', () => {
  let all: TestConversation
  beforeEach(async () => {
    all = await createTestConversation()
  })
  afterEach(() => all.db.destroy())

  const asks = (callId: string, expiresAt?: number): RunEvent[] => [
    { type: 'tool.started', callId, tool: 'send_mail' },
    { type: 'tool.called', callId, tool: 'send_mail', input: { to: '李雷' } },
    {
      type: 'tool.asked',
      callId,
      question: { kind: 'approval', ...(expiresAt !== undefined && { expiresAt }) },
    },
  ]
  const open = async (userId = 'ada'): Promise<string[]> => {
    await all.projector.catchUpAll()
    return (await all.questions.list(userId, { limit: 10 })).questions.map(({ callId }) => callId)
  }

  it('are found from the moment in which they are asked', async () => {
    const expiresAt = Date.now() + HOUR
    await all.startRun('send it', [])
    expect(await open()).toEqual([])
    await all.store.append('run_1', asks('run_1.1', expiresAt))

    expect(await open()).toEqual(['run_1.1'])
    expect((await all.questions.list('ada', { limit: 10 })).questions).toEqual([
      {
        callId: 'run_1.1',
        runId: 'run_1',
        threadId: all.thread.id,
        agent: 'dice',
        tool: 'send_mail',
        input: { to: '李雷' },
        kind: 'approval',
        askedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        expiresAt: new Date(expiresAt).toISOString(),
      },
    ])
    expect(await open('bob')).toEqual([])
  })

  it('are listed in pages of so many bytes, and each of them once', async () => {
    const sizes = [100_000, 100_000, 400_000, 10, 10, 100_000]
    const events = sizes.flatMap((size, index): RunEvent[] => {
      const callId = `run_1.${index}`
      return [
        { type: 'tool.started', callId, tool: 'send_mail' },
        { type: 'tool.called', callId, tool: 'send_mail', input: { text: 'x'.repeat(size) } },
        { type: 'tool.asked', callId, question: { kind: 'approval' } },
      ]
    })
    await all.startRun('send it', events)
    await all.projector.catchUpAll()
    const counts: number[] = []
    const found = new Set<string>()
    let before: string | undefined
    do {
      const page = await all.questions.list('ada', { limit: 4, before })
      counts.push(page.questions.length)
      for (const { callId } of page.questions) found.add(callId)
      before = page.before
    } while (before !== undefined)

    expect(counts).toEqual([3, 1, 2])
    expect(found.size).toBe(sizes.length)
    expect((await all.questions.list('ada', { limit: 1 })).questions).toHaveLength(1)
  })

  it('are looked at once: of a run that waits nothing is owed before it changes', async () => {
    const place = async () => (await threadTables(all.db).selectFrom('projections').selectAll().execute())[0]
    await all.startRun('send it', asks('run_1.1'))
    await all.store.append('run_1', [{ type: 'run.waiting', calls: ['run_1.1'] }])
    expect(await open()).toEqual(['run_1.1'])

    const { cursor } = await all.store.changed(undefined, 10)
    expect(await place()).toMatchObject({ cursor: Number(cursor) })

    await all.store.append('run_1', [
      { type: 'tool.answered', callId: 'run_1.1', answer: { kind: 'approval', approved: true }, by: 'ada' },
    ])
    expect(await open()).toEqual([])
  })

  it('are open again where a call that was allowed is asked for its output', async () => {
    const answer = { kind: 'approval', approved: true } as const
    const listed = async () => (await all.questions.list('ada', { limit: 10 })).questions
    await all.startRun('send it', asks('run_1.1'))
    await all.projector.catchUpAll()
    expect(await listed()).toMatchObject([{ kind: 'approval' }])
    await all.store.append('run_1', [
      { type: 'tool.answered', callId: 'run_1.1', answer, by: 'ada' },
      { type: 'tool.asked', callId: 'run_1.1', question: { kind: 'output' } },
    ])

    await all.projector.catchUpAll()

    expect(await listed()).toMatchObject([{ callId: 'run_1.1', kind: 'output' }])
  })

  it('are no more once they are answered or settled, or their run has ended', async () => {
    await all.startRun('send it', [...asks('run_1.1'), ...asks('run_1.2'), ...asks('run_1.3')])
    expect(await open()).toHaveLength(3)

    const answer = { kind: 'approval', approved: true } as const
    await all.store.append('run_1', [{ type: 'tool.answered', callId: 'run_1.1', answer, by: 'ada' }])
    expect(await open()).toEqual(['run_1.3', 'run_1.2'])
    const failure = { code: 'expired', message: 'Too late.', retryable: false }
    await all.store.append('run_1', [{ type: 'tool.failed', callId: 'run_1.2', failure }])
    expect(await open()).toEqual(['run_1.3'])
    await all.end('run_1')
    expect(await open()).toEqual([])
  })

  it('keep the time at which they were asked, and are not told of when theirs is over', async () => {
    await all.startRun('send it', [...asks('run_1.1'), ...asks('run_1.2', Date.now() - 1)])
    const list = async () => (await all.questions.list('ada', { limit: 10 })).questions
    const [asked] = await list()
    await all.store.append('run_1', [{ type: 'run.waiting', calls: ['run_1.1'] }])
    await all.projector.upTo(all.thread.id)

    expect(await list()).toEqual([asked])
  })

  it('come in pages that go on though the last one was answered meanwhile', async () => {
    await all.startRun('send it', [...asks('run_1.1'), ...asks('run_1.2'), ...asks('run_1.3')])
    const first = await all.questions.list('ada', { limit: 2 })
    const answer = { kind: 'approval', approved: true } as const
    await all.store.append('run_1', [{ type: 'tool.answered', callId: 'run_1.2', answer, by: 'ada' }])
    await all.projector.catchUpAll()
    const next = await all.questions.list('ada', { limit: 2, before: first.before })

    expect(first.questions.map(({ callId }) => callId)).toEqual(['run_1.3', 'run_1.2'])
    expect(next).toMatchObject({ questions: [{ callId: 'run_1.1' }] })
    expect(next.before).toBeUndefined()
    await expect(all.questions.list('ada', { limit: 2, before: 'x' })).rejects.toMatchObject({
      code: 'invalid-request',
    })
  })

  it('are those of one thread, where one is named', async () => {
    await all.startRun('send it', asks('run_1.1'))

    expect((await all.questions.list('ada', { limit: 5, threadId: all.thread.id })).questions).toHaveLength(1)
    expect((await all.questions.list('ada', { limit: 5, threadId: 'conv_x' })).questions).toEqual([])
  })
})
