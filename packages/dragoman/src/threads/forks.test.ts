import { afterEach, beforeEach, expect, it } from 'vitest'

import type { Message } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { createTestConversation, type TestConversation } from './conversation.fixture.ts'
import { threadTables } from './tables.ts'

let all: TestConversation
beforeEach(async () => {
  all = await createTestConversation()
})
afterEach(() => all.db.destroy())

const turns = (count: number): Message[] =>
  Array.from({ length: count }, (_, at) => ({
    role: 'user',
    id: `msg_h${at}`,
    parts: [{ type: 'text', text: `turn ${at}` }],
  }))

/** A thread with many messages. */
async function fillThread(count: number): Promise<void> {
  const { request } = newRun('run_1')
  await all.addRun('the last', 'answer', { request: { ...request, history: turns(count) } })
}

async function countRows(): Promise<{ threads: number; messages: number }> {
  const tables = threadTables(all.db)
  const [threads, messages] = await Promise.all([
    tables.selectFrom('conversations').select('id').execute(),
    tables.selectFrom('chat_messages').select('id').execute(),
  ])
  return { threads: threads.length, messages: messages.length }
}

it('copies a long thread while others use the database', async () => {
  await fillThread(600)
  let hasEnded = false
  const copying = all.forks
    .fork('ada', await all.threads.get('ada', all.thread.id), {})
    .finally(() => (hasEnded = true))
  let reads = 0
  while (!hasEnded) {
    await all.threads.list('bob', { limit: 1 })
    reads += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  const fork = await copying

  expect(reads).toBeGreaterThan(5)
  const path = await all.history.path(fork.id, { limit: 1000 })
  expect(path.map(({ row }) => row.content)).toEqual([
    ...turns(600).map((_, at) => `turn ${at}`),
    '你好',
    'answer',
  ])
  expect((await all.search.find('ada', { query: 'turn 599', limit: 9 })).messages).toHaveLength(2)
})

it.each([0, 1, 3])('leaves nothing of a copy whose thread is deleted meanwhile (%i)', async (slices) => {
  await fillThread(300)
  const thread = await all.threads.get('ada', all.thread.id)
  const copying = all.forks.fork('ada', thread, {}).catch((error: unknown) => error)
  for (let n = 0; n < slices; n += 1) await new Promise((resolve) => setImmediate(resolve))
  await all.threads.remove(thread)

  const result = await copying
  if (result instanceof Error) {
    expect(result).toMatchObject({ code: 'not-found' })
    expect(await countRows()).toEqual({ threads: 0, messages: 0 })
  } else {
    expect(await countRows()).toEqual({ threads: 1, messages: 302 })
  }
})

it('refuses to copy a thread that is gone', async () => {
  await fillThread(3)
  const thread = await all.threads.get('ada', all.thread.id)
  await threadTables(all.db).deleteFrom('chat_messages').execute()
  await expect(all.forks.fork('ada', thread, {})).rejects.toMatchObject({ code: 'not-found' })
  await all.threads.remove(thread)
  const { chosen: _, ...empty } = thread
  await expect(all.forks.fork('ada', empty, {})).rejects.toMatchObject({
    code: 'not-found',
  })
})
