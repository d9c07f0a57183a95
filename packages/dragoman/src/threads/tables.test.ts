import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { migrate, openDatabase } from '../database/index.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { createThreadServices, threadMigrations } from './index.ts'

it('tables that were filled before there were paths and an index have both', async () => {
  const db = openDatabase(':memory:')
  await migrate(db, threadMigrations.slice(0, 1))
  const at = '2026-01-01T00:00:00.000Z'
  await sql`INSERT INTO conversations (id, agent_id, user_id, title, created_at, updated_at)
    VALUES ('conv_1', 'dice', 'ada', '找工作', ${at}, ${at}), ('conv_2', 'dice', 'ada', NULL, ${at}, ${at})`.execute(
    db,
  )
  await sql`INSERT INTO chat_messages (id, position, conversation_id, role, content, timestamp, created_at,
    parts, parent_id)
    VALUES ('msg_1', 1, 'conv_1', 'user', '上海的职位', ${at}, ${at}, '[]', NULL),
      ('msg_2', 2, 'conv_1', 'assistant', 'Old', ${at}, ${at}, '[]', 'msg_1'),
      ('msg_3', 3, 'conv_1', 'assistant', 'New', ${at}, ${at}, '[]', 'msg_1')`.execute(db)

  await migrate(db, threadMigrations)

  const all = createThreadServices(db, memoryStore(), {})
  expect(await all.threads.get('ada', 'conv_1')).toMatchObject({
    title: '找工作',
    chosen: 'msg_3',
    archived: false,
  })
  expect(await all.threads.get('ada', 'conv_2')).not.toHaveProperty('chosen')
  expect((await all.history.path('conv_1', { limit: 9 })).map(({ row }) => row.id)).toEqual([
    'msg_1',
    'msg_3',
  ])
  await all.renewWords(new AbortController().signal)
  expect(await all.search.find('ada', { query: '职位', limit: 9 })).toMatchObject({
    messages: [{ messageId: 'msg_1' }],
  })
  expect(await all.branches.choose('conv_1', 'msg_2')).toBe('msg_2')
  await db.destroy()
})
