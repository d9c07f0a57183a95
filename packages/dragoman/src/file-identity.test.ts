import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'

import { expect, it } from 'vitest'

import { createTempDir } from '../../../test/support/create-temp-dir.ts'
import { requireSameFiles } from './file-identity.ts'

/** Commits and cuts the log by checkpoints, until it is told to stop. */
const WRITER = `
  const { DatabaseSync } = require('node:sqlite')
  const { workerData: { file, state } } = require('node:worker_threads')
  const sqlite = new DatabaseSync(file, { timeout: 5000 })
  sqlite.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA synchronous = OFF')
  for (let n = 1; Atomics.load(state, 0) === 0; n += 1) {
    sqlite.exec("INSERT INTO t VALUES (zeroblob(20000)); DELETE FROM t")
    if (n % 2 === 0) sqlite.exec('PRAGMA wal_checkpoint(' + (n % 4 === 0 ? 'TRUNCATE' : 'RESTART') + ')')
    Atomics.add(state, 1, 1)
  }
  sqlite.close()`
const LOOKS = 5000
const ROUNDS = 1000

function open(file: string) {
  const sqlite = new DatabaseSync(file, { timeout: 5000 })
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE IF NOT EXISTS t (a)')
  return { sqlite, requireFiles: requireSameFiles(file, (pragma) => sqlite.prepare(pragma).get()) }
}

it('takes no checkpoint of another thread for a cut, and finds a cut after it', async () => {
  const file = join(await createTempDir(), 'busy.db')
  const { sqlite, requireFiles } = open(file)
  const state = new Int32Array(new SharedArrayBuffer(8))
  const writer = new Worker(WRITER, { eval: true, workerData: { file, state } })
  const ended = new Promise((resolve) => void writer.once('exit', resolve))
  try {
    for (let looks = 0; looks < LOOKS || Atomics.load(state, 1) < ROUNDS; looks += 1) {
      requireFiles(0)
      if (looks % 100 === 0) await new Promise(setImmediate)
    }
  } finally {
    Atomics.store(state, 0, 1)
    await ended
  }
  sqlite.exec('INSERT INTO t VALUES (1)')
  requireFiles(0)
  truncateSync(`${file}-wal`)

  expect(() => requireFiles(0)).toThrow('The database files were removed or replaced')
  sqlite.close()
})
