import type { Worker } from 'node:worker_threads'

import type { QueryResult } from 'kysely'

import { ServiceError } from '../errors.ts'
import { startWorker } from '../start-worker.ts'
import type { Statement } from './sqlite-connection.ts'

export type StatementRequest = Statement
export type StatementAnswer =
  | { readonly result: QueryResult<unknown>; readonly error?: undefined }
  | { readonly error: { readonly message: string; readonly errcode: number | undefined } }

/** Node 22 would warn in each thread that SQLite is experimental. Deno knows no such flag. */
const FLAGS = process.allowedNodeEnvironmentFlags.has('--disable-warning')
  ? ['--disable-warning=ExperimentalWarning']
  : []
/** A thread that has nothing to do ends after this time. It holds some 10 MB. */
const IDLE_TIMEOUT_MS = 30_000

/** A connection to a file on a thread of its own, which runs one statement of a transaction at a time. */
export interface StatementThread {
  /** @throws the error of SQLite; ServiceError `unavailable` if the thread has ended within the transaction */
  run(statement: Statement): Promise<QueryResult<unknown>>
  close(): Promise<void>
}

const BEGIN = 'begin immediate'
const ENDS: ReadonlySet<string> = new Set(['commit', 'rollback'])

/** The thread starts with a transaction. */
export function statementThread(file: string): StatementThread {
  let worker: Worker | undefined
  let idle: NodeJS.Timeout | undefined
  const start = (): Worker => {
    const execArgv = FLAGS
    const started = startWorker(new URL('./statement-worker', import.meta.url), {
      workerData: { file },
      execArgv,
    })
    const forget = (): void => {
      if (worker === started) worker = undefined
    }
    return started.on('error', forget).on('exit', forget)
  }
  const end = async (): Promise<void> => {
    clearTimeout(idle)
    const old = worker
    worker = undefined
    await old?.terminate()
  }
  return {
    async run({ sql, parameters }) {
      clearTimeout(idle)
      if (sql === BEGIN) worker ??= start()
      // What comes next would be outside of the transaction.
      if (!worker) throw endedError()
      const answer = await ask(worker, { sql, parameters })
      if (ENDS.has(sql)) idle = setTimeout(() => void end(), IDLE_TIMEOUT_MS).unref()
      if (!answer.error) return answer.result
      const { message, errcode } = answer.error
      throw Object.assign(new Error(message), { errcode })
    },
    close: end,
  }
}

async function ask(worker: Worker, request: StatementRequest): Promise<StatementAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<StatementAnswer>()
  const fail = (cause: unknown): void => reject(endedError(cause))
  worker.once('message', resolve).once('error', fail).once('exit', fail).ref()
  try {
    worker.postMessage(request)
    return await promise
  } finally {
    worker.off('message', resolve).off('error', fail).off('exit', fail).unref()
  }
}

function endedError(cause?: unknown): ServiceError {
  return new ServiceError('unavailable', 'The database cannot be used right now.', { cause })
}
