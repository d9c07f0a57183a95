import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { RunEvent } from '../../events/index.ts'
import type { Store } from '../../log/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { findDamagedRuns, openSqlite } from './index.ts'

const delta: RunEvent = { type: 'text.delta', partId: 'run_1.1', delta: 'two cups of tea' }
const finished: RunEvent = {
  type: 'run.finished',
  reason: 'stop',
  usage: { inputTokens: 0, outputTokens: 0 },
}

describe.each(['run_tail', 'run_entries'])('a log that was changed in %s', (table) => {
  let folder = ''
  let store: Store
  const change = (statement: string): void => {
    const db = new DatabaseSync(join(folder, 'a.db'), { timeout: 5000 })
    db.exec(statement)
    db.close()
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dragoman-'))
    store = openSqlite(join(folder, 'a.db')).store
    await store.create(newRun('run_1'), 'reject')
    await store.append('run_1', [delta, delta])
    // It moves the tail.
    if (table === 'run_entries') await store.pack(Date.now() + 1)
  })
  afterEach(async () => {
    await store[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })
  const damage = { code: 'damaged', details: { runId: 'run_1', seq: 2 } }

  it.each([
    ['text', "body = 'two cups of hot tea'"],
    ['a time', 'at = at + 1'],
    ['a kind', 'kind = 2'],
    ['a part', 'part = 7'],
  ])('is an error for its reader, not other text, if %s was changed', async (_what, set) => {
    change(`UPDATE ${table} SET ${set} WHERE seq = 2`)

    await expect(store.read('run_1', 0)).rejects.toMatchObject(damage)
    const db = new DatabaseSync(join(folder, 'a.db'), { readOnly: true })
    expect(findDamagedRuns(db)).toEqual(['run_1'])
    db.close()
    expect(await store.read('run_1', 2)).toHaveLength(1)
    expect(await store.get('run_1')).toMatchObject({ id: 'run_1' })
  })

  it('is not packed, and stays an error', async () => {
    await store.append('run_1', [finished])
    change(`UPDATE ${table} SET body = 'tea' WHERE seq = 2`)
    while (await store.pack(Date.now() + 1));

    await expect(store.read('run_1', 0)).rejects.toMatchObject(damage)
  })

  it('is an error if it was changed after it was packed', async () => {
    await store.append('run_1', [finished])
    while (await store.pack(Date.now() + 1));
    expect(await store.read('run_1', 0)).toHaveLength(4)
    change("UPDATE run_pieces SET body = body || x'00'")

    await expect(store.read('run_1', 0)).rejects.toMatchObject(damage)
  })

  it('is read without checks if an earlier version has written it', async () => {
    change('ALTER TABLE run_entries DROP COLUMN checksum; ALTER TABLE run_pieces DROP COLUMN checksum')
    await store[Symbol.asyncDispose]()
    store = openSqlite(join(folder, 'a.db')).store
    await store.append('run_1', [finished])

    expect(await store.read('run_1', 0)).toHaveLength(4)
  })
})
