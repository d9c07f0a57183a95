import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { openDatabase } from './open-database.ts'
import { purgeFullTextIndex } from './purge-full-text-index.ts'

it('overwrites what is deleted while another purge goes on, once for all who wait', async () => {
  const db = openDatabase(':memory:')
  onTestFinished(() => db.destroy())
  await sql`CREATE VIRTUAL TABLE notes USING fts5 (text, content = '', contentless_delete = 1)`.execute(db)
  for (const [at, text] of ['quince', 'apple', 'plum'].entries())
    await sql`INSERT INTO notes (rowid, text) VALUES (${at}, ${text})`.execute(db)
  const remains = async (word: string): Promise<boolean> => {
    const blocks = await sql<{ block: Uint8Array }>`SELECT block FROM notes_data`.execute(db)
    return blocks.rows.some(({ block }) => Buffer.from(block).includes(word))
  }

  const first = purgeFullTextIndex(db, 'notes')
  await sql`DELETE FROM notes WHERE rowid = 0`.execute(db)
  const others = [purgeFullTextIndex(db, 'notes'), purgeFullTextIndex(db, 'notes')]

  expect(new Set([first, ...others]).size).toBe(2)
  await Promise.all(others)
  expect(await remains('quince')).toBe(false)
  expect(await remains('plum')).toBe(true)
  expect(purgeFullTextIndex(db, 'notes')).not.toBe(others[0])
})
