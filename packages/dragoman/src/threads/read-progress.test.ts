import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Database } from '../database/index.ts'
import type { RunEvent } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { finished, textEvents } from './conversation.fixture.ts'
import { createThreadServices, threadMigrations } from './index.ts'
import { threadTables } from './tables.ts'

const LIMIT = 10_000
const text = (length: number): RunEvent => ({
  type: 'text.delta',
  partId: 'run_1.1',
  delta: 'x'.repeat(length),
})
const started: RunEvent = { type: 'text.started', partId: 'run_1.1' }
const failed: RunEvent = {
  type: 'run.failed',
  failure: { code: 'too-large', message: 'Too large.', retryable: false },
  usage: { inputTokens: 0, outputTokens: 0 },
}

describe('a run that is too large for the rows of messages', () => {
  let db: Database
  beforeEach(async () => void (db = await openTestDatabase(threadMigrations)))
  afterEach(() => db.destroy())

  const setUp = async (events: readonly RunEvent[], context = {}) => {
    const store = memoryStore()
    const services = createThreadServices(db, store, { maxRunBytes: LIMIT })
    const { thread } = await services.threads.open({ userId: 'ada', agent: 'dice' })
    const run = newRun('run_1', { threadId: thread.id })
    await store.create({ ...run, request: { ...run.request, context } }, 'reject')
    await store.append('run_1', [started, ...events])
    const messages = async () =>
      (await services.history.path(thread.id, { limit: 10 })).map(({ message, row }) => ({ message, row }))
    return { ...services, store, threadId: thread.id, messages }
  }

  it.each([
    ['of many entries', Array.from({ length: 50 }, () => text(1000))],
    ['of one entry', [text(LIMIT * 10)]],
  ])('becomes a note with its end, and the conversation goes on: %s', async (_, events) => {
    const { projector, store, threadId, messages } = await setUp([...events, failed])
    await projector.upTo(threadId)
    const next = newRun('run_2', { threadId, parentId: 'msg_run_1' })
    await store.create(next, 'reject')
    await store.append('run_2', [...textEvents('run_2', 'Hello again.'), finished])
    await projector.upTo(threadId)

    const [, answer, , last] = await messages()
    expect(answer?.message).toMatchObject({
      status: 'failed',
      failure: { code: 'too-large' },
      parts: [{ type: 'text', text: 'This answer was too large, and is not kept in the conversation.' }],
    })
    expect(last?.row.content).toBe('Hello again.')
  })

  it('says so in Chinese to a user whose language it is', async () => {
    const { projector, threadId, messages } = await setUp([text(LIMIT * 10), finished], { language: 'zh-CN' })
    await projector.upTo(threadId)

    expect((await messages())[1]?.row).toMatchObject({
      content: '这次回答太长，没有保存在对话里。',
      status: 'finished',
    })
  })

  it('is noted while it goes on, and takes its end later', async () => {
    const { projector, store, threadId, messages } = await setUp([text(LIMIT * 10)])
    await projector.upTo(threadId)
    expect((await messages())[1]?.message).toMatchObject({ status: 'streaming' })

    await store.append('run_1', [failed])
    await projector.upTo(threadId)
    expect((await messages())[1]?.message).toMatchObject({ status: 'failed', failure: { code: 'too-large' } })
  })

  it('replaces a row that is too large to be read', async () => {
    const { projector, store, threadId, messages } = await setUp([text(100)])
    await projector.upTo(threadId)
    const parts = JSON.stringify([
      { type: 'text', partId: 'run_1.1', text: 'x'.repeat(LIMIT * 10), open: true },
    ])
    await threadTables(db).updateTable('chat_messages').set({ parts }).where('run_id', '=', 'run_1').execute()

    await store.append('run_1', [text(100), failed])
    await projector.upTo(threadId)

    expect((await messages())[1]?.row.content).toMatch(/too large/)
  })
})
