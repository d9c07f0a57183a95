import type { Worker } from 'node:worker_threads'

import { ServiceError } from '../../errors.ts'
import { startWorker } from '../../start-worker.ts'
import { flattenRequests, readAnswers, type FlatMessages } from './flat-messages.ts'
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts'

/** Node 22 would warn in each thread that SQLite is experimental. Deno knows no such flag. */
const FLAGS = process.allowedNodeEnvironmentFlags.has('--disable-warning')
  ? ['--disable-warning=ExperimentalWarning']
  : []

/**
 * The thread that owns the log's connection, seen from the streams' side. What all streams ask in one turn of the event
 * loop travels in one message: waking the thread costs more than a statement.
 */
export interface StoreWorker {
  ask(deed: WorkerRequest['operation'], ...args: readonly unknown[]): Promise<unknown>
  /** Called when another connection has written to the file. */
  onForeign(tell: () => void): void
  /** What was asked before is answered; nothing is, after. */
  close(): Promise<void>
}

type Pending = { resolve(result: unknown): void; reject(error: ServiceError): void }

export function startStoreWorker(file: string): StoreWorker {
  // Not the parent's flags: a test runner's loaders are not for this thread.
  const worker = startWorker(new URL('./worker', import.meta.url), { workerData: { file }, execArgv: FLAGS })
  const pending = new Map<number, Pending>()
  const outbox: WorkerRequest[] = []
  let foreign = (): void => undefined
  let count = 0
  let end: ServiceError | undefined

  const exited = Promise.withResolvers<unknown>()

  const stop = (cause: unknown): void => {
    end ??= closedError(cause)
    for (const { reject } of pending.values()) reject(end)
    pending.clear()
    // Waiting readers read again and get the error.
    foreign()
  }
  worker.on('message', (message: FlatMessages | 'foreign') => {
    if (message === 'foreign') return foreign()
    for (const { id, result, error } of readAnswers(message)) {
      const waiting = pending.get(id)
      pending.delete(id)
      if (error) waiting?.reject(toServiceError(error))
      else waiting?.resolve(result)
    }
    return undefined
  })
  worker.on('error', stop)
  worker.on('exit', stop)
  worker.on('exit', exited.resolve)

  const send = (): void => {
    for (const { request, cause } of postAll(worker, outbox.splice(0))) {
      pending.get(request.id)?.reject(new ServiceError('internal', 'This cannot be stored.', { cause }))
      pending.delete(request.id)
    }
  }
  const ask: StoreWorker['ask'] = (deed, ...args) => {
    if (end) return Promise.reject(end)
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const id = ++count
    pending.set(id, { resolve, reject })
    if (outbox.push({ id, operation: deed, args }) === 1) setImmediate(send)
    return promise
  }
  return {
    ask,
    onForeign(tell) {
      foreign = tell
    },
    async close() {
      const closing = end ? undefined : ask('close')
      end ??= closedError()
      await closing
      await exited.promise
    },
  }
}

function closedError(cause?: unknown): ServiceError {
  return new ServiceError('unavailable', 'The database is closed.', { cause })
}

/**
 * Sends all in one message; where one of them cannot be sent, each alone, so that it takes nothing with it.
 * Gives those that cannot.
 */
function postAll(
  worker: Worker,
  requests: readonly WorkerRequest[],
): { request: WorkerRequest; cause: unknown }[] {
  try {
    worker.postMessage(flattenRequests(requests))
    return []
  } catch (cause) {
    const [only] = requests
    if (only && requests.length === 1) return [{ request: only, cause }]
    return requests.flatMap((request) => postAll(worker, [request]))
  }
}

/** SQLite's own words are kept as the cause: they name files. */
function toServiceError({
  code,
  message,
  details,
  isAboutValue,
}: NonNullable<WorkerAnswer['error']>): ServiceError {
  if (code) return new ServiceError(code, message, { ...(details && { details }) })
  if (isAboutValue)
    return new ServiceError('internal', 'This cannot be stored.', { cause: new Error(message) })
  return new ServiceError('unavailable', 'The database cannot be used right now.', {
    cause: new Error(message),
  })
}
