import { expect, it } from 'vitest'

import type { Store } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { finished, textEvents } from './conversation.fixture.ts'
import { createThreadServices, threadMigrations } from './index.ts'

it('reads and writes a run once for all who ask for it at the same time', async () => {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  let reads = 0
  const counting: Store = {
    ...store,
    async read(...what) {
      reads += 1
      return store.read(...what)
    },
  }
  const { threads, projector } = createThreadServices(db, counting, { titles: 'words' })
  const { thread } = await threads.open({ userId: 'ada', agent: 'dice' })
  const run = newRun('run_1', { threadId: thread.id })
  await store.create(run, 'queue')
  await store.append(run.id, [...textEvents(run.id, 'answer'), finished])
  await Promise.all(Array.from({ length: 5 }, () => projector.upTo(thread.id)))

  expect(reads).toBe(1)
  await db.destroy()
})
