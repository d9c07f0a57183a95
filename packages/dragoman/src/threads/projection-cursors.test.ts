import { expect, it } from 'vitest'

import { newRun } from '../log/store-claims.contract.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { finished, textEvents } from './conversation.fixture.ts'
import { createThreadServices, PROJECTION_PARTS, threadMigrations } from './index.ts'
import { readCursors } from './projection-cursors.ts'
import { threadTables } from './tables.ts'

it('writes one cursor for each part of the threads, and a second while a run goes on', async () => {
  const db = await openTestDatabase(threadMigrations)
  const store = memoryStore()
  const { threads, projector } = createThreadServices(db, store, {})
  const [ended, open] = [
    await threads.open({ userId: 'ada', agent: 'dice' }),
    await threads.open({ userId: 'ada', agent: 'dice' }),
  ]
  const names = async (): Promise<readonly string[]> => {
    const rows = await threadTables(db).selectFrom('projections').select('name').execute()
    return rows.map(({ name }) => name.split('/')[0] ?? '')
  }
  await store.create(newRun('run_1', { threadId: ended.thread.id }), 'queue')
  await store.append('run_1', [...textEvents('run_1', 'first'), finished])
  await projector.catchUpAll()
  expect(await names()).toEqual(Array(PROJECTION_PARTS).fill('messages'))

  await store.create(newRun('run_2', { threadId: open.thread.id }), 'queue')
  await store.claim('run_2', 'here')
  await store.append('run_2', textEvents('run_2', 'first').slice(0, 2))
  await projector.catchUpAll()
  expect(new Set(await names())).toEqual(new Set(['messages', 'messages-seen']))

  // Seen since: the cursor of what had been seen is older now, and is not what a list begins at.
  await store.append('run_2', [finished])
  await projector.catchUpAll()
  const cursors = await readCursors(threadTables(db))
  expect(cursors.seen).toBe(cursors.written)
  await db.destroy()
})
