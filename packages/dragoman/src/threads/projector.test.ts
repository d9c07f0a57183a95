import { expect, it } from 'vitest'

import { newRun } from '../log/store-claims.contract.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { finished, textEvents } from './conversation.fixture.ts'
import { createThreadServices, threadMigrations } from './index.ts'
import { threadTables } from './tables.ts'

const RUNS = 16

it('two projectors write the messages of concurrent runs once, in one order', async () => {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  const open = () => createThreadServices(db, store, { titles: 'words' })
  const [here, there] = [open(), open()]
  const threads = await Promise.all(
    [0, 1, 2, 3].map(() => here.threads.open({ userId: 'ada', agent: 'dice' })),
  )
  const expected: string[] = []
  for (let n = 0; n < RUNS; n += 1) {
    const threadId = threads[n % threads.length]?.thread.id ?? ''
    const run = newRun(`run_${n}`, { threadId })
    await store.create(run, 'queue')
    await store.append(run.id, [...textEvents(run.id, `answer ${n}`), finished])
    expected.push(run.request.messageId, run.messageId)
  }

  const projectAll = async ({ projector }: typeof here): Promise<void> => {
    await Promise.all(threads.map(({ thread }) => projector.upTo(thread.id)))
  }
  await Promise.all([here, there].map(projectAll))

  const rows = await threadTables(db)
    .selectFrom('chat_messages')
    .select(['id', 'position', 'conversation_id'])
    .orderBy('position')
    .execute()
  expect(rows.map(({ id }) => id).toSorted()).toEqual(expected.toSorted())
  expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length)
  for (const { thread } of threads) {
    const ids = rows.filter((row) => row.conversation_id === thread.id).map(({ id }) => id)
    expect(ids).toEqual(expected.filter((id) => ids.includes(id)))
  }
  await db.destroy()
})
