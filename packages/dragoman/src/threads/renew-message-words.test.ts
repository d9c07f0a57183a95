import { sql } from 'kysely'
import { expect, it } from 'vitest'

import { migrate, openDatabase, type Database } from '../database/index.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { createThreadServices, threadMigrations } from './index.ts'

const MESSAGES = 230

/** A database of the version before words had owners. */
async function openEarlier(): Promise<Database> {
  const db = openDatabase(':memory:')
  await migrate(db, threadMigrations.slice(0, 3))
  const at = '2026-01-01T00:00:00.000Z'
  for (const user of ['ada', 'bob'])
    await sql`INSERT INTO conversations (id, agent_id, user_id, created_at, updated_at)
      VALUES (${`conv_${user}`}, 'dice', ${user}, ${at}, ${at})`.execute(db)
  for (let n = 1; n <= MESSAGES; n += 1)
    await sql`INSERT INTO chat_messages (id, position, conversation_id, role, content, timestamp, created_at,
      parts)
      VALUES (${`msg_${n}`}, ${n}, ${n % 2 === 0 ? 'conv_ada' : 'conv_bob'}, 'user', ${`word ${n}`}, ${at},
        ${at}, '[]')`.execute(db)
  return db
}

it('makes earlier messages searchable, also if it is interrupted', async () => {
  const db = await openEarlier()
  await migrate(db, threadMigrations)
  const { search, renewWords } = createThreadServices(db, memoryStore(), {})
  const countFound = async (user: string): Promise<number> =>
    (await search.find(user, { query: 'word', limit: 1000 })).messages.length
  expect(await countFound('ada')).toBe(0)

  const stopping = new AbortController()
  stopping.abort()
  await renewWords(stopping.signal)
  expect(await countFound('ada')).toBe(0)
  const interrupted = new AbortController()
  setImmediate(() => interrupted.abort())
  await renewWords(interrupted.signal)
  const found = await countFound('ada')
  expect(found).toBeGreaterThan(0)
  expect(found).toBeLessThan(MESSAGES / 2)

  await renewWords(new AbortController().signal)
  expect([await countFound('ada'), await countFound('bob'), await countFound('eve')]).toEqual([115, 115, 0])
  const renewals = await sql`SELECT * FROM message_words_renewals`.execute(db)
  expect(renewals.rows).toEqual([])
  await db.destroy()
})
