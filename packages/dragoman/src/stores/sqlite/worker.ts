import { MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'

import { isServiceError } from '../../errors.ts'
import { requireSameFiles } from '../../file-identity.ts'
import { removeLogMarkIfFolded } from '../../log-mark.ts'
import { isTailLong, sweepTail } from './run-tail.ts'
import { READ_OPERATIONS, storeOperations, WRITE_OPERATIONS } from './store-operations.ts'
import { createCheckpoints } from './checkpoints.ts'
import { createDiskSync } from './disk-sync.ts'
import { isBusy, openSql } from './open-sql.ts'
import { flattenAnswers, readRequests, type FlatMessages } from './flat-messages.ts'
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
/** A sweep that failed is tried again after so many ms. */
const SWEEP_PAUSE_MS = 1000

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
let noSweepBefore = 0
/** What the last commit failed of. Until one succeeds, `ping` tries to write. */
let writeFailure: unknown
const diskSync = createDiskSync(file, {
  send: (answers) => port.postMessage(flattenAnswers(answers)),
  onFailure(error) {
    writeFailure = error
    sql.states.distrust()
  },
})
const checkpoints = createCheckpoints(sql, file, requireFiles, process.execArgv)

port.on('message', (requests: FlatMessages) => {
  queue.push(...readRequests(requests))
  for (let more = received(); more; more = received()) queue.push(...more)
  if (busySince === undefined) serve()
  else serveReads()
})

/** What has arrived already. In Deno, a thread's port to its parent is none that can be asked. */
function received(): WorkerRequest[] | undefined {
  if (!(port instanceof MessagePort)) return undefined
  const arrived: { message: FlatMessages } | undefined = receiveMessageOnPort(port)
  return arrived && readRequests(arrived.message)
}

function serve(): void {
  while (queue.length > 0) {
    const batch = queue.splice(0, alone > 0 ? 1 : queue.length)
    const answers = tried(batch)
    if (answers === 'later') {
      queue = batch.concat(queue)
      setTimeout(serve, BUSY_PAUSE_MS)
      return serveReads()
    }
    if (answers === 'alone') {
      queue = batch.concat(queue)
      alone = batch.length
    } else {
      diskSync.answer(batch, answers)
      alone = Math.max(0, alone - 1)
      if (isTailLong(sql) && performance.now() >= noSweepBefore) sweep()
    }
    if (closing) return void close()
  }
  busySince = undefined
}

/** Reads do not wait for another writer of the file. */
function serveReads(): void {
  const reads = queue.filter(({ operation }) => READ_OPERATIONS.has(operation))
  if (reads.length === 0) return
  const answers = tried(reads)
  if (typeof answers === 'string') return
  queue = queue.filter(({ operation }) => !READ_OPERATIONS.has(operation))
  diskSync.answer(reads, answers)
}

/** What cannot be written takes nothing with it that was asked in the same moment: then each is answered by itself. */
function tried(batch: readonly WorkerRequest[]): WorkerAnswer[] | 'later' | 'alone' {
  const now = performance.now()
  if (batch.some(isWriting) && checkpoints.mustWait()) {
    busySince ??= now
    return 'later'
  }
  try {
    return answer(batch)
  } catch (error) {
    closing = false
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
  const mustTry = isPing && writeFailure !== undefined
  // In one transaction, too: between two statements, another process may move what is read.
  if (!mustTry && !batch.some(isWriting)) return transact('BEGIN', () => batch.map(perform))
  return write(() => {
    if (mustTry) sql.change('UPDATE run_changes SET last = last')
    return batch.map(perform)
  })
}

/** What was answered does not wait for it, and what is asked meanwhile waits some ms. */
function sweep(): void {
  try {
    write(() => sweepTail(sql))
  } catch {
    // Another writer, or a full disk: what is in the tail is read there, and the next commit says what is wrong.
    noSweepBefore = performance.now() + SWEEP_PAUSE_MS
  }
}

/** @throws what SQLite says, and then nothing is written. */
function write<T>(work: () => T): T {
  requireFiles()
  const result = transact('BEGIN IMMEDIATE', () => {
    const value = work()
    sql.states.settle()
    return value
  })
  writeFailure = undefined
  checkpoints.committed()
  return result
}

function transact<T>(begin: 'BEGIN' | 'BEGIN IMMEDIATE', work: () => T): T {
  let done = false
  try {
    sql.change(begin)
    refresh()
    const result = work()
    sql.change('COMMIT')
    done = true
    return result
  } finally {
    // SQLite ends some failed transactions by itself (disk full).
    if (sql.inTransaction()) sql.exec('ROLLBACK')
    if (!done) sql.states.distrust()
  }
}

function isWriting({ operation }: WorkerRequest): boolean {
  return WRITE_OPERATIONS.has(operation)
}

/** A refusal was made before anything was written: it takes nothing else with it. */
function perform({ id, operation: deed, args }: WorkerRequest): WorkerAnswer {
  if (deed === 'watch') return { id, result: setWatch(Boolean(args[0])) }
  if (deed === 'check-size') return { id, result: checkpoints.checkSize() }
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

async function close(): Promise<void> {
  clearInterval(watch)
  // Who reads the file without a server finds each log whole, in its place.
  sweep()
  await checkpoints.close()
  await diskSync.close()
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
