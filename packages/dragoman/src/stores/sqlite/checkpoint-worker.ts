import { MessagePort, parentPort, workerData } from 'node:worker_threads'

import { identityOf, requireSameFiles } from '../../file-identity.ts'
import { createCheckpoint, walBytes, type Checkpoint } from './checkpoint.ts'
import type { CheckpointRequest, CheckpointStart } from './checkpoints.ts'
import { connectSql } from './open-sql.ts'

/**
 * The thread that folds the write-ahead log into the file. A checkpoint takes as long as the disk takes to write what
 * has gathered: on the log's own thread, all appends and reads would wait for it.
 */

/** How long it waits for another writer, in ms; and for its place and a moment without readers, to restart the log. */
const BUSY_MS = 5000
const RESTART_MS = 300
/** The log is folded after so many ms without a commit, and emptied if it is large, */
const QUIET_MS = 250
/** or when it is larger than this: the next commit goes on behind it. */
const LARGE_BYTES = 4 * 1024 * 1024
/** From so many pages on (6 MB), the next commit has to begin at the start of the log. */
const RESTART_PAGES = 1536

const port = parentPort
if (!port) throw new Error('checkpoint-worker.ts is a worker thread.')
const { file, identity, first } = workerData as CheckpointStart
// SQLite would make a new file in the place of one that was removed.
if (identityOf(file) !== identity) throw new Error(`${file} was removed or replaced.`)
const sql = connectSql(file, { busyMs: BUSY_MS })
const requireFiles = requireSameFiles(file, (text) => (sql.inTransaction() ? undefined : sql.one(text)))
const checkpoint = createCheckpoint(sql, file, first)
let version: number | undefined
let isFolded = false
let timer: NodeJS.Timeout | undefined
watch()

port.on('message', (message: CheckpointRequest) => {
  clearInterval(timer)
  if (message === 'watch') return watch()
  sql.close()
  // In Deno, a thread's port to its parent cannot be closed.
  if (port instanceof MessagePort) port.close()
  else process.exit()
  return undefined
})

function watch(): void {
  timer = setInterval(look, QUIET_MS)
}

function look(): void {
  try {
    const before = version
    version = readVersion()
    if (version !== before) isFolded = false
    const isQuiet = version === before
    const isLarge = walBytes(file) > LARGE_BYTES
    if (!isFolded && (isQuiet || isLarge)) {
      if (fold().pages > RESTART_PAGES) restart('RESTART')
    } else if (isQuiet && isLarge) restart('TRUNCATE')
    else if (isQuiet) rest()
  } catch {
    // Another writer, or a full disk, for a moment or longer: what is committed is safe in the write-ahead log, and
    // the next commit says what is wrong.
  }
}

/** Nothing is left to do before the next commit: until then, this thread does not wake. */
function rest(): void {
  clearInterval(timer)
  port?.postMessage('rests')
}

function fold(): Checkpoint {
  requireFiles()
  const result = checkpoint()
  isFolded = true
  return result
}

/**
 * Where there are commits all the time, the log grows. A restart has the writers' place until all is in the file and no
 * reader needs the log. So a second checkpoint comes first, which leaves little to copy. If a reader is in its way, the
 * next look tries again.
 */
function restart(mode: 'RESTART' | 'TRUNCATE'): void {
  if (!fold().isWhole) return
  try {
    sql.exec(`PRAGMA busy_timeout = ${RESTART_MS}; PRAGMA wal_checkpoint(${mode})`)
  } finally {
    sql.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
  }
  checkpoint()
}

/** It changes when another connection commits. https://www.sqlite.org/pragma.html#pragma_data_version */
function readVersion(): number | undefined {
  return sql.one<{ data_version: number }>('PRAGMA data_version')?.data_version
}
