import type { Worker } from 'node:worker_threads'

import { identityOf } from '../../file-identity.ts'
import { startWorker } from '../../start-worker.ts'
import { createCheckpoint, walBytes } from './checkpoint.ts'
import type { Sql } from './sql-port.ts'

/** So long after a commit, in ms, the thread starts. A database that is closed sooner needs none. */
const START_MS = 250
/** The same for a thread that rests: a commit of some bytes each second, as of a node that lives, can wait. */
const WAKE_MS = 60_000
const MAX_UNFOLDED_BYTES = 4 * 1024 * 1024
/** A longer log makes commits wait for the disk, unless it is a reader that keeps it from being folded. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_WAIT_MS = 3000

export interface Checkpoints {
  /** Call it after each commit. */
  committed(): void
  /** Starts the thread if the log is long. Returns the log's bytes. */
  checkSize(): number
  /** Whether a commit has to wait, as the log is as long as it may be. */
  mustWait(): boolean
  close(): Promise<void>
}

/** What the thread of the checkpoints is started with. See `createCheckpoint`. */
export type CheckpointStart = {
  readonly file: string
  readonly identity: string | undefined
  readonly first: number | undefined
}

/** What the thread of the checkpoints is asked: to watch the file again after it has rested, or to close. */
export type CheckpointRequest = 'watch' | 'close'

/**
 * Checkpoints of the write-ahead log, on a thread of their own that starts when there is something to fold: see
 * checkpoint-worker.ts. The first one is made here, before anything is committed.
 */
export function createCheckpoints(
  sql: Sql,
  file: string,
  requireFiles: () => void,
  execArgv: readonly string[],
): Checkpoints {
  const identity = identityOf(file)
  const first = checkpointOnce(sql, file, requireFiles)
  const thread = checkpointThread({ file, identity, first }, execArgv)
  let fullSince: number | undefined
  const checkSize = (): number => {
    const bytes = walBytes(file)
    if (bytes > MAX_UNFOLDED_BYTES) thread.start()
    return bytes
  }
  return {
    committed: thread.committed,
    checkSize,
    mustWait() {
      if (checkSize() <= MAX_BYTES) {
        fullSince = undefined
        return false
      }
      fullSince ??= performance.now()
      return performance.now() - fullSince < MAX_WAIT_MS
    },
    close: thread.close,
  }
}

/** The thread, which rests while there is nothing to fold. */
function checkpointThread(workerData: CheckpointStart, execArgv: readonly string[]) {
  let worker: Worker | undefined
  let isResting = false
  let committedAt = 0
  let timer: NodeJS.Timeout | undefined
  let onExit = (): void => undefined
  const ask = (request: CheckpointRequest): void => worker?.postMessage(request)

  function start(): void {
    clearTimeout(timer)
    timer = undefined
    if (worker && isResting) ask('watch')
    isResting = false
    worker ??= open()
  }

  function open(): Worker {
    const url = new URL('./checkpoint-worker', import.meta.url)
    const opened = startWorker(url, { workerData, execArgv: [...execArgv] })
    opened.on('message', () => {
      isResting = true
      // The thread has not seen a commit that was made meanwhile.
      if (performance.now() - committedAt < WAKE_MS) startSoon()
    })
    // It fails where the file was removed, which each write reports. The next commit starts another.
    opened.on('error', () => undefined)
    opened.on('exit', () => {
      worker = undefined
      onExit()
    })
    return opened
  }

  function startSoon(): void {
    timer ??= setTimeout(start, worker ? WAKE_MS : START_MS)
  }

  return {
    start,
    committed(): void {
      committedAt = performance.now()
      if (!worker || isResting) startSoon()
    },
    async close(): Promise<void> {
      clearTimeout(timer)
      if (!worker) return
      const { promise, resolve } = Promise.withResolvers<void>()
      onExit = resolve
      ask('close')
      await promise
    },
  }
}

function checkpointOnce(sql: Sql, file: string, requireFiles: () => void): number | undefined {
  try {
    requireFiles()
    return createCheckpoint(sql, file)().first
  } catch {
    // Another writer, or a full disk: what is committed is safe in the write-ahead log.
    return undefined
  }
}
