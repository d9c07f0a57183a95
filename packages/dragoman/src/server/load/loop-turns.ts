/** One who has much in progress begins one more thing in so many ms. */
const BUSY_INTERVAL_MS = 25
/** So often it is looked whether one who had much in progress still has. */
const POLL_MS = 5

/**
 * Lets each party begin one thing, or `atOnce`, in each turn of the event loop, in the order of arrival, and few in a
 * second while it has much in progress. What others do in between does not wait for all that one party asks for.
 */
export interface LoopTurns<Party> {
  /** Undefined if it is the party's turn already. What is over takes no turn. @throws the signal's reason */
  wait(party: Party, signal?: AbortSignal): Promise<void> | undefined
}

/** `left`: how many things the party may still begin in this turn. */
type Queue = { readonly begins: Set<() => void>; begunAt: number; left: number }

export function createLoopTurns<Party>(isBusy: (party: Party) => boolean, atOnce = 1): LoopTurns<Party> {
  /** The parties that have begun something in this turn, or have something to begin. */
  const queues = new Map<Party, Queue>()
  const mayBegin = (party: Party, queue: Queue): boolean =>
    !isBusy(party) || performance.now() - queue.begunAt >= BUSY_INTERVAL_MS
  const beginNext = (): void => {
    let hasBegun = false
    for (const [party, queue] of queues) {
      if (queue.begins.size === 0) queues.delete(party)
      queue.left = atOnce
      for (const begin of queue.begins) {
        if (queue.left === 0 || !mayBegin(party, queue)) break
        hasBegun = true
        queue.left -= 1
        queue.begunAt = performance.now()
        begin()
      }
    }
    if (hasBegun) setImmediate(beginNext)
    else if (queues.size > 0) setTimeout(beginNext, POLL_MS)
  }
  return {
    wait(party, signal) {
      const queue = queues.get(party) ?? { begins: new Set(), begunAt: performance.now(), left: atOnce }
      if (queues.size === 0) setImmediate(beginNext)
      queues.set(party, queue)
      if (queue.left === 0 || queue.begins.size > 0 || isBusy(party)) return waitIn(queue.begins, signal)
      queue.left -= 1
      return undefined
    },
  }
}

/** Resolves once its function is called. Once the signal aborts, the queue forgets it. */
function waitIn(begins: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const abort = (): void => {
    begins.delete(begin)
    reject(signal?.reason)
  }
  const begin = (): void => {
    begins.delete(begin)
    signal?.removeEventListener('abort', abort)
    resolve()
  }
  begins.add(begin)
  signal?.addEventListener('abort', abort)
  return promise
}
