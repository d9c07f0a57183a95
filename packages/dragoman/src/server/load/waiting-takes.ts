/** A take that waits this long is tried once more, and then fails with the reason. */
const WAIT_TIMEOUT_MS = 30_000

type Take<T> = {
  /** Those of one queue are served in the order of their calls. */
  readonly queue: string
  readonly hasRoom: () => boolean
  /** @throws ServiceError if there is no room */
  readonly take: () => T
}

/** Takes that wait for room. */
export interface WaitingTakes<T> {
  /** @throws the signal's reason, or the error of `take` after 30 s */
  wait(take: Take<T>, signal: AbortSignal): Promise<T>
  /** Serves those for which there is room now. */
  serve(): void
}

export function createWaitingTakes<T>(): WaitingTakes<T> {
  /** By queue, the takes that wait and what serves them. */
  const queues = new Map<string, Map<Take<T>, () => void>>()
  const serve = (): void => {
    for (const queue of queues.values())
      for (const [request, take] of queue) {
        if (!request.hasRoom()) break
        take()
      }
  }
  return {
    serve,
    async wait(request, signal) {
      signal.throwIfAborted()
      const queue = queues.get(request.queue) ?? new Map<Take<T>, () => void>()
      if (queue.size === 0 && request.hasRoom()) return request.take()
      queues.set(request.queue, queue)
      const { promise, resolve, reject } = Promise.withResolvers<T>()
      /** Once: a take whose promise has settled would never be released. */
      const settle = (work: () => void): void => {
        if (!queue.delete(request)) return
        if (queue.size === 0) queues.delete(request.queue)
        clearTimeout(timer)
        signal.removeEventListener('abort', abort)
        work()
      }
      const take = (): void =>
        settle(() => {
          try {
            resolve(request.take())
          } catch (error) {
            reject(error)
          }
        })
      const giveUp = (work: () => void): void => {
        work()
        // The next one may need less.
        serve()
      }
      const abort = (): void => giveUp(() => settle(() => reject(signal.reason)))
      const timer = setTimeout(giveUp, WAIT_TIMEOUT_MS, take)
      signal.addEventListener('abort', abort)
      queue.set(request, take)
      return promise
    },
  }
}
