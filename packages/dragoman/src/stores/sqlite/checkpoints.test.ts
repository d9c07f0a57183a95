import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import { describe, expect, it } from 'vitest'

import { createTempDir } from '../../../../../test/support/create-temp-dir.ts'
import type { RunEvent } from '../../events/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { openSqlite } from './index.ts'

const MB = 2 ** 20
const text: RunEvent = { type: 'text.delta', partId: 'run_1.1', delta: 'x'.repeat(200_000) }
const walMb = (file: string): number => statSync(`${file}-wal`).size / MB

describe('the write-ahead log', () => {
  it('has a limit while there are commits all the time', async () => {
    const file = join(await createTempDir(), 'a.db')
    const { store } = openSqlite(file)
    await store.create(newRun('run_1'), 'reject')
    let largest = 0
    for (let round = 0; round < 1200; round += 1) {
      await store.append('run_1', [text], {})
      largest = Math.max(largest, walMb(file))
    }

    // 240 MB are written, as fast as the disk takes them.
    expect(largest).toBeGreaterThan(4)
    expect(largest).toBeLessThan(128)
    await store[Symbol.asyncDispose]()
  })

  it('is emptied once there are none', async () => {
    const file = join(await createTempDir(), 'a.db')
    const { store } = openSqlite(file)
    await store.create(newRun('run_1'), 'reject')
    for (let round = 0; round < 50; round += 1) await store.append('run_1', [text], {})
    expect(walMb(file)).toBeGreaterThan(8)

    await expect.poll(() => walMb(file), { timeout: 10_000 }).toBeLessThan(0.1)
    await store[Symbol.asyncDispose]()
  })

  it('is folded without runs, too', async () => {
    const file = join(await createTempDir(), 'a.db')
    const { store, checkSizeSoon } = openSqlite(file)
    await store.ping()
    const rows = new DatabaseSync(file, { timeout: 5000 })
    rows.exec('PRAGMA wal_autocheckpoint = 0; CREATE TABLE notes (text)')
    for (let round = 0; round < 30; round += 1)
      rows.prepare('INSERT INTO notes VALUES (?)').run('x'.repeat(200_000))
    expect(walMb(file)).toBeGreaterThan(5)
    checkSizeSoon()

    await expect.poll(() => walMb(file), { timeout: 10_000 }).toBeLessThan(0.1)
    rows.close()
    await store[Symbol.asyncDispose]()
  })

  it('makes no writer wait for a reader that needs it', async () => {
    const file = join(await createTempDir(), 'a.db')
    const { store } = openSqlite(file)
    await store.create(newRun('run_1'), 'reject')
    const reader = new DatabaseSync(file, { readOnly: true })
    reader.exec('BEGIN; SELECT count(*) FROM runs')
    for (let round = 0; round < 300; round += 1) await store.append('run_1', [text], {})
    reader.exec('COMMIT')
    reader.close()

    await expect.poll(() => walMb(file), { timeout: 10_000 }).toBeLessThan(0.1)
    await store[Symbol.asyncDispose]()
  })
})
