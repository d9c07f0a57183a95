import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openTestDatabase } from '../testing/test-storage.fixture.ts'
import { createWordIndex } from './create-word-index.ts'
import { migrate } from './migrate.ts'
import type { Database } from './open-database.ts'
import type { WordQuery } from './word-index.ts'

const index = createWordIndex({ table: 'note_words', columns: { title: 10, text: 1 } })

let db: Database

beforeAll(async () => {
  db = await openTestDatabase()
  const table = {
    sqlite: [
      `CREATE VIRTUAL TABLE note_words USING fts5 (title, text, content = '', contentless_delete = 1)`,
    ],
    postgres: ['CREATE TABLE note_words ("row" BIGINT PRIMARY KEY, words TSVECTOR NOT NULL)'],
  }
  await migrate(db, [{ name: 'notes-1', statements: [table] }])
})
afterAll(() => db.destroy())

beforeEach(async () => {
  await index.write(db, { row: 1, owner: 'ada' }, { title: 'red apple', text: 'a pie with green apple' })
  await index.write(db, { row: 2, owner: 'ada' }, { title: 'green pear', text: "it's a \\ pear" })
  await index.write(db, { row: 3, owner: 'ada' }, { title: 'one', text: 'a red pear and an apple' })
})

/** One spelling of one phrase for each text. */
function query(...texts: string[]): WordQuery {
  return texts.map((text) => [{ words: text.split(' ') }])
}

async function found(
  words: WordQuery,
  options: Partial<Parameters<typeof index.find>[2]> = {},
): Promise<number[]> {
  const rows = await db
    .selectFrom(index.find(db, words, { owner: 'ada', ...options }).as('found'))
    .select('row')
    .orderBy('row')
    .execute()
  return rows.map(({ row }) => row)
}

describe('an index of words', () => {
  it.each([
    ['all words', query('red', 'apple'), [1, 3]],
    ['adjacent words', query('red apple'), [1]],
    ['no words across columns', query('apple a'), []],
    ['each spelling', [[{ words: ['pie'] }, { words: ['green', 'pear'] }]], [1, 2]],
    ['a beginning', [[{ words: ['pe'], isPrefix: true }]], [2, 3]],
    ['no operators', query('red OR pear'), []],
    ['signs', query("it's"), [2]],
  ] satisfies [string, WordQuery, number[]][])('finds %s', async (_what, words, rows) => {
    expect(await found(words)).toEqual(rows)
  })

  it('finds words in a column, and any of the words', async () => {
    expect(await found(query('apple'), { column: 'title' })).toEqual([1])
    expect(await found(query('pie', 'one'), { isAny: true })).toEqual([1, 3])
  })

  it('finds nothing by a word longer than any, and the others by any of the words', async () => {
    const long = 'a'.repeat(3000)
    const ranked = (words: WordQuery) => index.rank(db, words, { owner: 'ada' })
    for (const words of [query(long), query('red', long), query(`red ${long}`)])
      expect([
        await found(words),
        await db.selectFrom(ranked(words).as('ranks')).selectAll().execute(),
      ]).toEqual([[], []])
    expect(await found([[{ words: [long], isPrefix: true }]])).toEqual([])
    expect(await found([[{ words: [long] }, { words: ['pear'] }]])).toEqual([2, 3])
    expect(await found(query('green', long), { isAny: true })).toEqual([1, 2])
  })

  it('ranks a match by its column', async () => {
    const rows = await db
      .selectFrom(index.rank(db, query('green'), { owner: 'ada' }).as('found'))
      .select('row')
      .orderBy('distance')
      .execute()
    expect(rows.map(({ row }) => row)).toEqual([2, 1])
  })

  it('finds and ranks nothing of another owner', async () => {
    await index.write(db, { row: 4, owner: 'bob' }, { title: 'red apple', text: 'quince' })
    const beginning = [[{ words: ['quin'], isPrefix: true }]]

    expect(await found(query('red', 'apple'))).toEqual([1, 3])
    expect(await found(beginning)).toEqual([])
    expect(await found(beginning, { owner: 'bob' })).toEqual([4])
    expect(await found(query('apple'), { owner: 'bob', column: 'title' })).toEqual([4])
    expect(await found(query('apple'), { owner: 'nobody' })).toEqual([])
    await index.remove(db, 4)
  })

  it('replaces and removes the words of a row', async () => {
    await index.write(db, { row: 1, owner: 'ada' }, { title: 'plum' })
    await index.remove(db, 3)

    expect(await found(query('apple'))).toEqual([])
    expect(await found(query('plum'))).toEqual([1])
    await index.purge(db)
  })

  it('takes a text that is longer than a row of PostgreSQL has room for', async () => {
    const words = Array.from({ length: 40_000 }, (_, at) => `ბანანი${at}`.repeat(2))

    await index.write(db, { row: 1, owner: 'ada' }, { title: 'plum', text: [...words, ...words].join(' ') })

    expect(await found(query(words[0] ?? ''))).toEqual([1])
  })
})
