import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'

import { countTurns } from '../../../../test/support/count-turns.ts'
import { forLargeRows, openDatabase } from './open-database.ts'

async function openNotes() {
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-large-'))
  const db = openDatabase(join(folder, 'dragoman.db'))
  onTestFinished(async () => {
    await db.destroy()
    await rm(folder, { recursive: true })
  })
  await sql`CREATE TABLE notes (id TEXT PRIMARY KEY, text TEXT NOT NULL, words TEXT)`.execute(db)
  await sql`CREATE TRIGGER note_words AFTER INSERT ON notes BEGIN
    UPDATE notes SET words = words(substr(new.text, 1, 20)) WHERE id = new.id; END`.execute(db)
  type Tables = { notes: { id: string; text: string; words: string | null } }
  return { db, notes: db.withTables<Tables>(), large: forLargeRows(db).withTables<Tables>() }
}

const text = 'Words of a note. '.repeat(500_000)

it('writes megabytes while the event loop turns, and each connection reads them', async () => {
  const { notes, large } = await openNotes()
  const write = (target: typeof notes, id: string) => () =>
    target.transaction().execute((trx) => trx.insertInto('notes').values({ id, text, words: null }).execute())
  await write(large, 'first')()

  const turns = await countTurns(write(large, 'second')())
  const turnsOfOne = await countTurns(write(notes, 'third')())

  expect(turns).toBeGreaterThan(4 * turnsOfOne)
  const rows = await notes.selectFrom('notes').selectAll().orderBy('id').execute()
  expect(rows.map(({ id, text: { length }, words }) => ({ id, length, words }))).toEqual(
    ['first', 'second', 'third'].map((id) => ({ id, length: text.length, words: 'words of a note wor' })),
  )
})

it('writes nothing of a transaction that fails, and fails with the error of SQLite', async () => {
  const { notes, large } = await openNotes()
  const failing = large.transaction().execute(async (trx) => {
    await trx.insertInto('notes').values({ id: 'a', text: '', words: null }).execute()
    await trx.insertInto('notes').values({ id: 'a', text: '', words: null }).execute()
  })

  await expect(failing).rejects.toMatchObject({ errcode: 1555 })
  await expect(large.transaction().execute(() => Promise.reject(new Error('own')))).rejects.toThrow('own')
  expect(await notes.selectFrom('notes').selectAll().execute()).toEqual([])
})

it('waits for a transaction of another connection', async () => {
  const { notes, large } = await openNotes()
  const order: string[] = []
  const entered = Promise.withResolvers<void>()
  const open = Promise.withResolvers<void>()
  const first = notes.transaction().execute(async (trx) => {
    await trx.insertInto('notes').values({ id: 'a', text: '', words: null }).execute()
    entered.resolve()
    await open.promise
    order.push('first')
  })
  await entered.promise
  const second = large.transaction().execute(async (trx) => {
    order.push('second')
    return trx.selectFrom('notes').select('id').execute()
  })
  open.resolve()
  await first

  expect(await second).toEqual([{ id: 'a' }])
  expect(order).toEqual(['first', 'second'])
})

it('refuses statements outside of transactions, and is the same database in memory', async () => {
  const { large } = await openNotes()
  const memory = openDatabase(':memory:')

  await expect(large.selectFrom('notes').selectAll().execute()).rejects.toMatchObject({ code: 'unavailable' })
  expect(forLargeRows(memory)).toBe(memory)
  await memory.destroy()
})
