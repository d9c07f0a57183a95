import type { Serializable } from 'node:child_process'
import { exit } from 'node:process'
import { parentPort, type Transferable } from 'node:worker_threads'

import { isServiceError, ServiceError, type ErrorCode } from '../errors.ts'
import { startProcess } from '../start-worker.ts'
import { createFairQueue } from './fair-queue.ts'
import { isTooLarge } from './is-too-large.ts'

/** The process that runs the worker thread. */
const HOST = new URL('./worker-host', import.meta.url)
/** Idle timeout in ms. An idle process holds about 50 MB. */
const IDLE_TIMEOUT_MS = 120_000

/** A worker's answer. An error without a code is unforeseen. */
type WorkerAnswer<T> =
  | { readonly done: T }
  | { readonly isTooLarge: true }
  | { readonly error: { readonly code?: ErrorCode; readonly message: string } }

/** Each worker does the work of another owner. */
const WORKERS = 2

export type IsolatedWorkerOptions<Request> = {
  /** The module that calls `serveWorker`, without its extension. */
  readonly module: URL
  /** The size of a request. The sizes of all waiting requests together are limited. */
  readonly sizeOf: (request: Request) => number
  readonly limits: { readonly waiting: number; readonly weight: number; readonly megabytes: number }
  /** The time limit of one request. It starts when the worker is ready. */
  readonly timeoutMs: number
  /** An idle worker ends after this time, and its process with it. */
  readonly idleTimeoutMs?: number
  /** The errors for requests that exceed a limit. */
  readonly refusals: {
    readonly busy: string
    readonly busyTranslations?: Readonly<Record<string, string>>
    readonly slow: () => ServiceError
    readonly large: () => ServiceError
  }
}

/** A request of an owner: a user, or another party that must not make others wait, such as a site. */
export type IsolatedWorker<Request, Done> = (
  owner: string,
  request: Request,
  timeoutMs?: number,
) => Promise<Done>

/**
 * Runs work on untrusted input in separate processes, so that it never blocks a stream. It needs a process, because
 * V8 ends the whole process if an array exceeds the memory of a thread. A process starts at the first request. A
 * request that takes too much time or memory ends it, and the next request starts another.
 *
 * Owners take turns, one request at a time each, and have a share of the places that wait. Who has used the processes
 * for long lately comes after the others. The promise rejects with the worker's own ServiceError, with `rate-limited`
 * if the owner has too many requests, with `unavailable` if all have, or with an error of `refusals`.
 */
export function createIsolatedWorker<Request, Done>(
  options: IsolatedWorkerOptions<Request>,
): IsolatedWorker<Request, Done> {
  const { limits, sizeOf, refusals, idleTimeoutMs = IDLE_TIMEOUT_MS } = options
  const { busy, busyTranslations: translations = {} } = refusals
  const refuse = (code: ErrorCode) => () => new ServiceError(code, busy, { retryAfter: 5, translations })
  const queue = createFairQueue(
    { ...limits, workers: WORKERS },
    { owner: refuse('rate-limited'), all: refuse('unavailable') },
  )
  const processes: WorkerProcess<Request, Done>[] = []
  let idle: NodeJS.Timeout | undefined

  const endIdleProcesses = (): void => {
    for (const each of processes.splice(0)) each.end(new Error('The thread had nothing to do.'))
  }
  return async (owner, request, timeoutMs = options.timeoutMs) => {
    clearTimeout(idle)
    try {
      return await queue.run(owner, sizeOf(request), async (worker) => {
        const process = processes[worker]
        const running = process && !process.ended ? process : startWorkerProcess<Request, Done>(options)
        processes[worker] = running
        return unwrapAnswer(await running.ask(request, timeoutMs), refusals.large)
      })
    } finally {
      clearTimeout(idle)
      if (queue.isIdle) idle = setTimeout(endIdleProcesses, idleTimeoutMs).unref()
    }
  }
}

function unwrapAnswer<Done>(answer: WorkerAnswer<Done>, refuse: () => ServiceError): Done {
  if ('done' in answer) return answer.done
  if ('isTooLarge' in answer) throw refuse()
  const { code, message } = answer.error
  throw code ? new ServiceError(code, message) : new Error(message)
}

interface WorkerProcess<Request, Done> {
  readonly ended: boolean
  /** One request at a time. It is answered or refused, whatever becomes of the thread. */
  ask(request: Request, timeoutMs: number): Promise<WorkerAnswer<Done>>
  /** Ends it in whatever it does. */
  end(reason: Error): void
}

/** The time that a thread may take to load its module. */
const READY_TIMEOUT_MS = 60_000

type ProcessOptions = {
  readonly module: URL
  readonly limits: { readonly megabytes: number }
  readonly refusals: { readonly slow: () => ServiceError; readonly large: () => ServiceError }
}

/** A worker for several related requests: it keeps its state until it is disposed. */
export type WorkerSession<Request, Done> = Disposable & {
  /** One request at a time. @throws the thread's own ServiceError; a refusal; the signal's reason, once it aborts */
  ask(request: Request, timeoutMs: number): Promise<Done>
}

export function openWorkerSession<Request, Done>(
  options: ProcessOptions,
  signal: AbortSignal,
): WorkerSession<Request, Done> {
  signal.throwIfAborted()
  const { large } = options.refusals
  const thread = startWorkerProcess<Request, Done>(options)
  const abort = (): void => thread.end(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  return {
    ask: async (request, timeoutMs) => unwrapAnswer(await thread.ask(request, timeoutMs), large),
    [Symbol.dispose]() {
      signal.removeEventListener('abort', abort)
      thread.end(new Error('The thread was let go of.'))
    },
  }
}

function startWorkerProcess<Request, Done>({
  module,
  limits,
  refusals,
}: ProcessOptions): WorkerProcess<Request, Done> {
  const host = startProcess(HOST, [module.href, String(limits.megabytes)])
  host.unref()
  host.channel?.unref()
  const ready = Promise.withResolvers<void>()
  ready.promise.catch(() => undefined)
  let pending: PromiseWithResolvers<WorkerAnswer<Done>> | undefined
  let hasEnded = false
  let endReason = new Error(`The thread of ${module.pathname.split('/').at(-1)} has ended.`)
  const end = (reason: Error): void => {
    if (!hasEnded) endReason = reason
    hasEnded = true
    ready.reject(endReason)
    pending?.reject(endReason)
  }
  const stop = (reason: Error): void => {
    end(reason)
    host.kill('SIGKILL')
  }
  const withTimeout = async <T>(ms: number, reason: () => Error, work: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => stop(reason()), ms)
    return work.finally(() => clearTimeout(timer))
  }
  host.on('message', (message: typeof READY | WorkerAnswer<Done>) =>
    message === READY ? ready.resolve() : pending?.resolve(message),
  )
  // If the process ends during a request, its `exit` event reports that.
  host.on('error', (error) => host.pid === undefined && end(error))
  host.on('exit', (code, signal) => end(isOutOfMemory(code, signal) ? refusals.large() : endReason))

  return {
    get ended() {
      return hasEnded
    },
    end: stop,
    async ask(request, timeoutMs) {
      if (hasEnded) throw endReason
      // A worker keeps the server's process alive only while it works.
      host.ref()
      host.channel?.ref()
      try {
        await withTimeout(READY_TIMEOUT_MS, notReadyError, ready.promise)
        pending = Promise.withResolvers<WorkerAnswer<Done>>()
        host.send(request as Serializable)
        return await withTimeout(timeoutMs, refusals.slow, pending.promise)
      } finally {
        host.unref()
        host.channel?.unref()
      }
    },
  }
}

/**
 * V8 aborts if one step far exceeds the limit, as a growing array does. The system kills a process if memory
 * runs out.
 */
function isOutOfMemory(code: number | null, signal: NodeJS.Signals | null): boolean {
  return code === OOM_EXIT_CODE || signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGKILL'
}

function notReadyError(): ServiceError {
  return new ServiceError('unavailable', 'The server is too busy at the moment.', { retryAfter: 30 })
}

/** The first message of a worker, before any request. */
const READY = 'ready'

/** The exit code of a worker whose request needed too much memory. */
export const OOM_EXIT_CODE = 86

/**
 * In the worker: gives up before a request takes too much memory that V8 does not count, such as buffers. The
 * caller gets the error for large requests.
 */
export function exitOutOfMemory(): never {
  return exit(OOM_EXIT_CODE)
}

/** In the worker: answers requests. `transfers` returns the buffers of an answer that need no copy. */
export function serveWorker<Request, Done>(
  work: (request: Request) => Done | Promise<Done>,
  transfers: (done: Done) => Transferable[] = () => [],
): void {
  const port = parentPort
  if (!port) throw new Error('This module is a worker thread.')
  port.on('message', (request: Request) => {
    void answerRequest(work, request).then((answer) =>
      port.postMessage(answer, 'done' in answer ? transfers(answer.done) : []),
    )
  })
  port.postMessage(READY)
}

async function answerRequest<Request, Done>(
  work: (request: Request) => Done | Promise<Done>,
  request: Request,
): Promise<WorkerAnswer<Done>> {
  try {
    const done = await work(request)
    return isTooLarge(done) ? { isTooLarge: true } : { done }
  } catch (error) {
    if (isServiceError(error)) return { error: { code: error.code, message: error.message } }
    return { error: { message: error instanceof Error ? (error.stack ?? error.message) : String(error) } }
  }
}
