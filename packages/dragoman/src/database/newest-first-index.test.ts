import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { migrate } from './migrate.ts'
import { createNewestFirstIndex } from './newest-first-index.ts'
import type { Database } from './open-database.ts'
import { ROWS_PER_PART } from './owned-words.ts'
import type { WordQuery } from './word-index.ts'

const index = createNewestFirstIndex('line_words')

let db: Database

beforeAll(async () => {
  db = await openTestDatabase()
  const table = {
    sqlite: [
      `CREATE VIRTUAL TABLE line_words USING fts5 (words, tokenize = 'ascii', content = '', contentless_delete = 1)`,
    ],
    postgres: ['CREATE TABLE line_words ("row" BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)'],
  }
  await migrate(db, [{ name: 'lines-1', statements: [table] }])
})
afterAll(() => db.destroy())

const word = fc.constantFrom('red', 'reed', 'pear', 'pea', '梨', '树')
const row = fc.record({
  // The rows of a part are neighbors, and some parts are empty.
  row: fc.oneof(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: ROWS_PER_PART - 5, max: ROWS_PER_PART + 5 }),
    fc.integer({ min: 5 * ROWS_PER_PART, max: 5 * ROWS_PER_PART + 9 }),
  ),
  owner: fc.constantFrom('ada', 'bob', 'guest_1'),
  words: fc.array(word, { maxLength: 4 }),
})
const phrase = fc.record({ words: fc.array(word, { minLength: 1, maxLength: 2 }), isPrefix: fc.boolean() })

function matches(words: readonly string[], query: WordQuery): boolean {
  const text = ` ${words.join(' ')} `
  return query.every((spellings) =>
    spellings.some((each) => text.includes(` ${each.words.join(' ')}${each.isPrefix ? '' : ' '}`)),
  )
}

it('finds the newest rows of an owner, as a search of each row would', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 12 }),
      fc.array(fc.array(phrase, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
      fc.integer({ min: 1, max: 6 * ROWS_PER_PART }),
      fc.integer({ min: 1, max: 5 }),
      async (rows, query, before, limit) => {
        const latest = new Map(rows.map((each) => [each.row, each]))
        for (const each of rows) await index.write(db, [{ ...each, words: each.words.join(' ') }])

        for (const owner of ['ada', 'bob', 'guest_1', 'nobody']) {
          const expected = [...latest.values()]
            .filter((each) => each.owner === owner && each.row < before && matches(each.words, query))
            .map((each) => each.row)
            .toSorted((a, b) => b - a)
            .slice(0, limit)
          expect(await index.newest(db, query, { owner, before, limit })).toEqual(expected)
        }
        for (const each of rows) await index.write(db, [{ ...each, words: '' }])
      },
    ),
    { numRuns: 60 },
  )
})

it('lets other work go on during a search in many parts', async () => {
  await index.write(db, [{ row: 3000 * ROWS_PER_PART, owner: 'bob', words: 'red' }])
  await index.write(db, [{ row: 1, owner: 'ada', words: 'red' }])
  let turns = 0
  let hasEnded = false
  const counting = (async () => {
    for (; !hasEnded; turns += 1) await new Promise((resolve) => setImmediate(resolve))
  })()

  const page = { owner: 'ada', before: Number.MAX_SAFE_INTEGER, limit: 1 }
  expect(await index.newest(db, [[{ words: ['red'] }]], page)).toEqual([1])
  hasEnded = true
  await counting

  expect(turns).toBeGreaterThan(1)
})
