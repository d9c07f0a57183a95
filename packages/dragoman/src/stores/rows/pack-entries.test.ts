import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { newRun } from '../../log/store-claims.contract.ts'
import { openSqlite } from '../sqlite/index.ts'
import { fillsPiece, packEntries, unpackEntries } from './pack-entries.ts'
import type { StoredEntry } from './rows.ts'

/** Tokens as a model says them, each by itself, some 20 ms apart. */
function deltaRows(words: readonly string[], gaps: readonly number[]): StoredEntry[] {
  let at = 0
  return words.map((body, index) => ({
    seq: index + 4,
    at: (at += 15 + (gaps[index % gaps.length] ?? 0)),
    kind: 1,
    part: 1,
    body,
  }))
}

describe('a piece of a log', () => {
  it('is not much larger than its words, in English and in Chinese', () => {
    const [gaps] = fc.sample(fc.array(fc.nat(12), { minLength: 500, maxLength: 500 }), {
      seed: 1,
      numRuns: 1,
    })
    const lorem = fc.lorem({ mode: 'words', maxCount: 1 }).map((word) => ` ${word}`)
    const chinese = fc.integer({ min: 0x4e00, max: 0x6e00 }).map((letter) => String.fromCodePoint(letter))
    for (const word of [lorem, chinese]) {
      const [words = []] = fc.sample(fc.array(word, { minLength: 500, maxLength: 500 }), {
        seed: 1,
        numRuns: 1,
      })
      const rows = deltaRows(words, gaps ?? [])

      const piece = packEntries(rows)

      expect(unpackEntries(piece)).toEqual(rows)
      expect(piece.length).toBeLessThan(1.5 * Buffer.byteLength(words.join('')))
    }
  })

  it('ends where it is large enough', () => {
    const rows = deltaRows(['x'.repeat(60_000), 'y'.repeat(60_000), 'z'], [0])

    expect(rows.map(fillsPiece())).toEqual([false, true, true])
    expect(rows.slice(2).map(fillsPiece())).toEqual([false])
  })
})

describe('a file of an earlier version', () => {
  it('gets what it lacks, and is packed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dragoman-'))
    const file = join(folder, 'a.db')
    const usage = { inputTokens: 0, outputTokens: 0 }
    const before = openSqlite(file).store
    await before.create(newRun('run_1'), 'reject')
    const delta = { type: 'text.delta', partId: 'run_1.1', delta: '你好' } as const
    await before.append('run_1', [delta, delta, { type: 'run.finished', reason: 'stop', usage }])
    const entries = await before.read('run_1', 0)
    await before[Symbol.asyncDispose]()
    const db = new DatabaseSync(file)
    db.exec('DROP INDEX idx_run_states_ended; ALTER TABLE run_states DROP COLUMN form; DROP TABLE run_pieces')
    db.close()

    const { store } = openSqlite(file)

    expect(await store.get('run_1')).toMatchObject({ status: 'finished', pruned: false })
    while (await store.pack(Date.now() + 1));
    expect(await store.read('run_1', 0)).toEqual(entries)
    await store[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
})

describe('a piece that cannot be written', () => {
  it('leaves its log as it was, and is packed when there is room', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'dragoman-'))
    const file = join(folder, 'a.db')
    const { store } = openSqlite(file)
    await store.create(newRun('run_1'), 'reject')
    const delta = { type: 'text.delta', partId: 'run_1.1', delta: 'a' } as const
    await store.append(
      'run_1',
      Array.from({ length: 1500 }, () => delta),
    )
    await store.append('run_1', [
      { type: 'run.finished', reason: 'stop', usage: { inputTokens: 0, outputTokens: 0 } },
    ])
    const entries = await store.read('run_1', 0, { limit: 2000 })
    const db = new DatabaseSync(file, { timeout: 5000 })
    const full = `BEFORE DELETE ON run_entries WHEN old.seq > 1200 BEGIN SELECT RAISE(ABORT, 'disk full'); END`
    db.exec(`CREATE TRIGGER full ${full}`)

    expect(await store.pack(Date.now() + 1)).toBe(true)
    await expect(store.pack(Date.now() + 1)).rejects.toMatchObject({ code: 'unavailable' })

    expect(await store.read('run_1', 0, { limit: 2000 })).toEqual(entries)
    db.exec('DROP TRIGGER full')
    db.close()
    while (await store.pack(Date.now() + 1));
    expect(await store.read('run_1', 0, { limit: 2000 })).toEqual(entries)
    await store[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
})
