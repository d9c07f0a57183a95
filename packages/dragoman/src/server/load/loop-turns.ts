/** One who has much in progress begins one more thing in so many ms. */
const BUSY_INTERVAL_MS = 25
/** So often it is looked whether one who had much in progress still has. */
const POLL_MS = 5

/**
 * Lets each party begin one thing in each turn of the event loop, in the order of arrival, and few in a second while it
 * has much in progress. What others do in between does not wait for all that one party asks for.
 */
export interface LoopTurns<Party> {
  /** Undefined if it is the party's turn already. */
  wait(party: Party): Promise<void> | undefined
}

type Queue = { readonly begins: (() => void)[]; begunAt: number }

export function createLoopTurns<Party>(isBusy: (party: Party) => boolean): LoopTurns<Party> {
  /** The parties that have begun something in this turn, or have something to begin. */
  const queues = new Map<Party, Queue>()
  const mayBegin = (party: Party, queue: Queue): boolean =>
    !isBusy(party) || performance.now() - queue.begunAt >= BUSY_INTERVAL_MS
  const beginNext = (): void => {
    let hasBegun = false
    for (const [party, queue] of queues) {
      if (queue.begins.length === 0) queues.delete(party)
      else if (mayBegin(party, queue)) {
        hasBegun = true
        queue.begunAt = performance.now()
        queue.begins.shift()?.()
      }
    }
    if (hasBegun) setImmediate(beginNext)
    else if (queues.size > 0) setTimeout(beginNext, POLL_MS)
  }
  return {
    wait(party) {
      const queue = queues.get(party)
      if (!queue && !isBusy(party)) {
        if (queues.size === 0) setImmediate(beginNext)
        queues.set(party, { begins: [], begunAt: performance.now() })
        return undefined
      }
      const { promise, resolve } = Promise.withResolvers<void>()
      if (queue) queue.begins.push(resolve)
      else {
        if (queues.size === 0) setImmediate(beginNext)
        queues.set(party, { begins: [resolve], begunAt: performance.now() })
      }
      return promise
    },
  }
}
