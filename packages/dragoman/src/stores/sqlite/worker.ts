import { MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'

import { isServiceError } from '../../errors.ts'
import { requireSameFiles } from '../../file-identity.ts'
import { isTerminal, type RunEvent } from '../../events/index.ts'
import { removeLogMarkIfFolded } from '../../log-mark.ts'
import { storeOperations, WRITE_OPERATIONS } from './store-operations.ts'
import { createCheckpoints } from './checkpoints.ts'
import { isBusy, openSql } from './open-sql.ts'
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts'

/**
 * The thread that owns the log's connection. Requests are answered in order; those that have gathered are
 * committed as one, so a slow disk slows nothing but the log, and the streams' event loop never waits for it.
 */

/**
 * Other writers of the file are given this long, in ms; between tries we wait by a timer, so that the port is
 * heard.
 */
const BUSY_PAUSE_MS = 2
const BUSY_LIMIT_MS = 10_000
const WATCH_MS = 20

const port = parentPort
if (!port) throw new Error('worker.ts is a worker thread.')
const { file } = workerData as { file: string }
const sql = openSql(file)
const requireFiles = requireSameFiles(file, (text) => (sql.inTransaction() ? undefined : sql.one(text)))
let queue: WorkerRequest[] = []
/** So many at the head of the queue are answered each by itself. */
let alone = 0
let closing = false
let busySince: number | undefined
let watch: NodeJS.Timeout | undefined
/** What the last commit failed of. Until one succeeds, `ping` tries to write. */
let writeFailure: unknown
const checkpoints = createCheckpoints(sql, file, { requireFiles, isBusy: () => busySince !== undefined })

port.on('message', (requests: WorkerRequest[]) => {
  queue.push(...requests)
  for (let more = received(); more; more = received()) queue.push(...more)
  if (busySince === undefined) serve()
})

/** What has arrived already. In Deno, a thread's port to its parent is none that can be asked. */
function received(): WorkerRequest[] | undefined {
  if (!(port instanceof MessagePort)) return undefined
  const arrived: { message: WorkerRequest[] } | undefined = receiveMessageOnPort(port)
  return arrived?.message
}

function serve(): void {
  while (queue.length > 0) {
    const batch = queue.splice(0, alone > 0 ? 1 : queue.length)
    const answers = tried(batch)
    if (answers === 'later') {
      queue = batch.concat(queue)
      setTimeout(serve, BUSY_PAUSE_MS)
      return
    }
    if (answers === 'alone') {
      queue = batch.concat(queue)
      alone = batch.length
    } else {
      port?.postMessage(answers)
      alone = Math.max(0, alone - 1)
    }
    if (closing) return close()
  }
  busySince = undefined
}

/** What cannot be written takes nothing with it that was asked in the same moment: then each is answered by itself. */
function tried(batch: readonly WorkerRequest[]): WorkerAnswer[] | 'later' | 'alone' {
  try {
    return answer(batch)
  } catch (error) {
    closing = false
    const now = performance.now()
    if (isBusy(error)) busySince ??= now
    if (isBusy(error) && now - (busySince ?? now) < BUSY_LIMIT_MS) return 'later'
    if (batch.length > 1) return 'alone'
    if (isUnusable(error)) writeFailure = error
    return batch.map(({ id }): WorkerAnswer => ({ id, error: describe(error) }))
  }
}

/** Answers a batch; all that it writes is one transaction. @throws what SQLite says, and then nothing is written. */
function answer(batch: readonly WorkerRequest[]): WorkerAnswer[] {
  const isPing = batch.some(({ operation: deed }) => deed === 'ping')
  if (isPing) requireFiles(0)
  const writing =
    batch.some(({ operation: deed }) => WRITE_OPERATIONS.has(deed)) || (isPing && writeFailure !== undefined)
  if (!writing) {
    refresh()
    return batch.map(perform)
  }

  requireFiles()
  // The setting cannot be changed inside a transaction. Loss of power may take the last words, but never these.
  const synced = batch.some(
    ({ operation: deed, args }) => deed === 'append' && (args[1] as RunEvent[]).some(isSynced),
  )
  if (synced) sql.exec('PRAGMA synchronous = FULL')
  let done = false
  try {
    sql.change('BEGIN IMMEDIATE')
    refresh()
    const answers = batch.map(perform)
    sql.states.settle()
    sql.change('COMMIT')
    done = true
    writeFailure = undefined
    checkpoints.committed()
    return answers
  } finally {
    // SQLite ends some failed transactions by itself (disk full).
    if (sql.inTransaction()) sql.exec('ROLLBACK')
    if (!done) sql.states.distrust()
    if (synced) sql.exec('PRAGMA synchronous = NORMAL')
  }
}

/** A refusal was made before anything was written: it takes nothing else with it. */
function perform({ id, operation: deed, args }: WorkerRequest): WorkerAnswer {
  if (deed === 'watch') return { id, result: setWatch(Boolean(args[0])) }
  if (deed === 'close') {
    // What was asked with it is committed first.
    closing = true
    return { id }
  }
  try {
    const run = storeOperations[deed] as (on: typeof sql, ...rest: readonly unknown[]) => unknown
    return { id, result: run(sql, ...args) }
  } catch (error) {
    if (!isServiceError(error)) throw error
    return { id, error: describe(error) }
  }
}

function isSynced(event: RunEvent): boolean {
  return event.type === 'tool.executing' || event.type === 'tool.answered' || isTerminal(event)
}

/** READONLY, IOERR, FULL, CANTOPEN. https://www.sqlite.org/rescode.html */
function isUnusable(error: unknown): boolean {
  return (
    error instanceof Error && 'errcode' in error && [8, 10, 13, 14].includes(Number(error.errcode) & 0xff)
  )
}

function setWatch(on: boolean): void {
  clearInterval(watch)
  if (on) watch = setInterval(look, WATCH_MS)
}

/** Where the file cannot be read, readers look themselves, and hear why. */
function look(): void {
  try {
    refresh()
  } catch {
    port?.postMessage('foreign')
  }
}

/** Before anything else is said: who reads what we remember of a log must know that it may be old. */
function refresh(): void {
  if (sql.states.refresh()) port?.postMessage('foreign')
}

function close(): void {
  clearInterval(watch)
  checkpoints.close()
  sql.close()
  removeLogMarkIfFolded(file)
  setImmediate(() => (port instanceof MessagePort ? port.close() : process.exit()))
}

function describe(error: unknown): NonNullable<WorkerAnswer['error']> {
  if (isServiceError(error)) return { code: error.code, message: error.message, details: error.details }
  // JSON cannot hold what was to be stored: the database is well.
  const isAboutValue = error instanceof TypeError || error instanceof RangeError
  return { message: error instanceof Error ? error.message : String(error), isAboutValue }
}
