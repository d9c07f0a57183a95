import { mkdtemp, rm } from 'node:fs/promises'
import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { DETACHED_PREFIX, type RunEvent } from '../../events/index.ts'
import type { Store } from '../../log/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { openSqlite } from './index.ts'
import { openSql } from './open-sql.ts'
import { storeOperations } from './store-operations.ts'

const PAGE_BYTES = 4096
const ALL = Number.MAX_SAFE_INTEGER
const delta = (text: string): RunEvent => ({ type: 'text.delta', partId: 'run_1.1', delta: text })
const usage = { inputTokens: 0, outputTokens: 0 }
const finished: RunEvent = { type: 'run.finished', reason: 'stop', usage }

let folder: string
let file: string
let here: Store
let there: Store
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dragoman-'))
  file = join(folder, 'a.db')
  here = openSqlite(file).store
  there = openSqlite(file).store
})
afterEach(async () => {
  await Promise.all([here, there].map((store) => store[Symbol.asyncDispose]()))
  await rm(folder, { recursive: true })
})

function query<T>(text: string): T[] {
  using db = new DatabaseSync(file, { timeout: 5000 })
  return db.prepare(text).all() as T[]
}

const tailRuns = (): unknown[] =>
  query<{ id: string }>(
    'SELECT DISTINCT id FROM runs WHERE num IN (SELECT run FROM run_tail) ORDER BY id',
  ).map(({ id }) => id)

describe('the tail of the logs', () => {
  it('is moved when it is long, and read by others meanwhile', async () => {
    await here.create(newRun('run_1'), 'reject')
    const words = Array.from({ length: 1000 }, (_none, index) => delta(`${index} `))
    for (let round = 1; round <= 6; round += 1) {
      const appended = here.append('run_1', words)
      const reading = there.read('run_1', 0, { limit: ALL })
      await appended
      const numbers = (await reading).map(({ seq }) => seq)
      expect(numbers).toEqual(numbers.map((_number, index) => index + 1))
    }

    expect(await there.read('run_1', 0, { limit: ALL })).toHaveLength(6001)
    // The thread has moved rows before it answers again.
    await here.ping()
    expect(query('SELECT count(*) AS rows FROM run_tail')).toEqual([{ rows: 1000 }])
    expect(await there.get('run_1')).toMatchObject({ lastSeq: 6001 })
  })

  it('stays where it is while it cannot be moved, and is whole', async () => {
    await here.create(newRun('run_1'), 'reject')
    query(`CREATE TRIGGER full BEFORE INSERT ON run_entries WHEN new.kind = 1
           BEGIN SELECT RAISE(ABORT, 'disk full'); END`)
    for (let round = 1; round <= 5; round += 1) await here.append('run_1', Array(1000).fill(delta('word ')))
    await here.append('run_1', [finished])

    expect(await there.read('run_1', 0, { limit: ALL })).toHaveLength(5002)
    query('DROP TRIGGER full')
    await here[Symbol.asyncDispose]()
    expect(query('SELECT count(*) AS rows FROM run_tail')).toEqual([{ rows: 0 }])
    expect(await there.read('run_1', 0, { limit: ALL })).toHaveLength(5002)
  })

  it('keeps nothing of a log that was let go of or removed', async () => {
    const store = here
    for (const id of ['run_pruned', 'run_removed', 'run_live']) {
      await store.create(newRun(id, { threadId: `conv_${id}` }), 'reject')
      await store.append(id, [delta('words')])
    }
    await store.create(newRun('run_alone', { threadId: `${DETACHED_PREFIX}a` }), 'reject')
    await store.append('run_alone', [delta('words'), finished])
    await store.append('run_pruned', [finished])
    expect(tailRuns()).toEqual(['run_alone', 'run_live', 'run_pruned', 'run_removed'])

    await store.discard(Date.now() + 1)
    expect(tailRuns()).toEqual(['run_live', 'run_pruned', 'run_removed'])
    await store.prune(Date.now() + 1)
    expect(tailRuns()).toEqual(['run_live', 'run_removed'])
    await store.remove('conv_run_removed')

    expect(query(`SELECT DISTINCT id FROM runs JOIN run_entries ON run = num WHERE kind = 1`)).toEqual([
      { id: 'run_live' },
    ])
  })

  it('takes a page a commit, however many runs have said something', () => {
    const sql = openSql(join(folder, 'pages.db'))
    const ids = Array.from({ length: 50 }, (_none, index) => `run_${index}`)
    for (const id of ids) storeOperations.create(sql, newRun(id, { threadId: `conv_${id}` }), 'reject')
    const commit = (): void => {
      sql.change('BEGIN IMMEDIATE')
      sql.states.refresh()
      for (const id of ids) storeOperations.append(sql, id, [delta('word ')])
      sql.states.settle()
      sql.change('COMMIT')
    }
    const logPages = (): number => statSync(join(folder, 'pages.db-wal')).size / PAGE_BYTES
    commit()
    const before = logPages()
    for (let round = 0; round < 20; round += 1) commit()

    // A page is full now and then.
    expect(logPages() - before).toBeLessThan(50)
    sql.close()
  })

  it('gets nothing of an append that a damaged log refuses', async () => {
    await here.create(newRun('run_1'), 'reject')
    await here.append('run_1', [delta('a')])
    query("UPDATE run_entries SET body = body || ' ' RETURNING run")
    const waiting: RunEvent = { type: 'run.waiting', calls: ['run_1.2'] }

    await expect(there.append('run_1', [delta('b'), waiting])).rejects.toMatchObject({ code: 'damaged' })
    expect(query('SELECT seq FROM run_tail')).toEqual([{ seq: 2 }])
    await there.append('run_1', [finished])
    await there.remove('conv_none')
    expect(query('SELECT seq FROM run_entries ORDER BY seq')).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }])
  })
})
