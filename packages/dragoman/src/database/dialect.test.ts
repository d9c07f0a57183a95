import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { jsonStrings, jsonTable } from './dialect.ts'

it.each([
  [['a', 'b'], 1],
  [['b', null], 0],
  [[], 0],
  [['\0', '\ud800', 'a'], 1],
])('finds a text among %j: %i', async (texts, count) => {
  const db = await openTestDatabase()
  onTestFinished(() => db.destroy())

  const { rows } = await sql<{ count: number }>`
    SELECT count(*) AS count FROM (SELECT 'a' AS text) AS texts WHERE text IN ${jsonStrings(db, texts)}`.execute(
    db,
  )
  expect(rows).toEqual([{ count }])
})

it('reads the texts of a JSON array', async () => {
  const db = await openTestDatabase()
  onTestFinished(() => db.destroy())

  const { rows } = await sql`
    SELECT lower(tag.value) AS tag FROM ${jsonTable(db, sql`${'["B","É"]'}`)} AS tag ORDER BY tag`.execute(db)
  expect(rows).toEqual([{ tag: 'b' }, { tag: 'É' }])
})
