import { raceAbort } from '../async/index.ts'
import type { ServiceError } from '../errors.ts'
import { createRecentUse, type RecentUse } from './recent-use.ts'

/** One owner may hold a quarter of the places, or a few, and half of the weight. A single piece of work always fits. */
const SHARE_OF = { waiting: 4, weight: 2 } as const
const MIN_PLACES = 4
/** Owners who have used as many of these lately take turns; those who have used more come after them. */
const USE_STEP_MS = 1000
/** Who has used more lately never takes the last free worker. */
const LARGE_USE_MS = 5000

export type QueueLimits = {
  /** Pieces of work at once. */
  readonly workers: number
  /** Pieces of work that wait or are done, and their weights together. */
  readonly waiting: number
  readonly weight?: number
  /** Of one owner: pieces of work at once, one by default; and those that wait or are done. */
  readonly ofOwner?: { readonly workers?: number; readonly waiting?: number }
}

/** The errors of a full queue: `owner` if the owner's share is used up, else `all`. */
export type QueueRefusals = { readonly owner: () => ServiceError; readonly all: () => ServiceError }

/** A piece of work's turn, until it is disposed. `worker` is a number that no other piece has meanwhile. */
export type Turn = Disposable & { readonly worker: number }

export interface FairQueue {
  /** Waits for an owner's turn. An owner who leaves takes none. @throws a refusal; the signal's reason */
  turn(owner: string, weight: number, signal?: AbortSignal): Promise<Turn>
  /** Does a piece of work of an owner in its turn. `signal` is for the waiting. */
  run<T>(
    owner: string,
    weight: number,
    work: (worker: number) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>
  readonly isIdle: boolean
}

/** What an owner has in the queue. `starts` are those of the work that waits. */
type Share = {
  readonly owner: string
  readonly starts: ((worker: number) => void)[]
  count: number
  weight: number
  working: number
}

/**
 * Lets owners take turns. Those who have used the workers for long lately come after the others, and leave one worker
 * to them: whose work is slow waits for its like.
 */
export function createFairQueue(
  limits: QueueLimits,
  refusals: QueueRefusals,
  now: () => number = () => performance.now(),
): FairQueue {
  const workers = Array.from({ length: limits.workers }, (_, index) => index)
  const used = createRecentUse(now)
  const shares = createShares(limits, refusals, used)

  const startNext = (): void => {
    for (let share = shares.next(workers.length); share; share = shares.next(workers.length)) {
      share.working += 1
      share.starts.shift()?.(workers.shift() as number)
    }
  }
  const begin = (share: Share, weight: number, worker: number): Turn => {
    const startedAt = now()
    return {
      worker,
      [Symbol.dispose]() {
        workers.unshift(worker)
        share.working -= 1
        used.add(share.owner, now() - startedAt)
        shares.leave(share, weight)
        startNext()
      },
    }
  }
  const takeTurn: FairQueue['turn'] = async (owner, weight, signal = NEVER) => {
    signal.throwIfAborted()
    const share = shares.admit(owner, weight)
    const { promise, resolve: start } = Promise.withResolvers<number>()
    share.starts.push(start)
    startNext()
    await raceAbort(promise, signal, () => undefined)
    const place = share.starts.indexOf(start)
    if (place >= 0) {
      share.starts.splice(place, 1)
      shares.leave(share, weight)
      throw signal.reason
    }
    const turn = begin(share, weight, await promise)
    if (!signal.aborted) return turn
    turn[Symbol.dispose]()
    throw signal.reason
  }
  return {
    turn: takeTurn,
    async run(owner, weight, work, signal) {
      using turn = await takeTurn(owner, weight, signal)
      return await work(turn.worker)
    },
    get isIdle() {
      return shares.isEmpty
    },
  }
}

const NEVER = new AbortController().signal

interface Shares {
  /** Adds a piece of work to an owner's share. @throws a refusal */
  admit(owner: string, weight: number): Share
  /** Removes a piece of work. The owner's next turn comes after those of all others. */
  leave(share: Share, weight: number): void
  /** Whose turn it is, if there are so many free workers. */
  next(freeWorkers: number): Share | undefined
  readonly isEmpty: boolean
}

function createShares(limits: QueueLimits, refusals: QueueRefusals, used: RecentUse): Shares {
  const { weight: maxWeight = Number.POSITIVE_INFINITY, ofOwner: { workers: maxWorkers = 1 } = {} } = limits
  /** In the order of their turns. */
  const shares = new Map<string, Share>()
  const total = { count: 0, weight: 0 }
  const add = (share: Share, count: number, weight: number): void => {
    for (const sums of [share, total]) {
      sums.count += count
      sums.weight += weight
    }
  }
  return {
    admit(owner, weight) {
      const share = shares.get(owner) ?? { owner, starts: [], count: 0, weight: 0, working: 0 }
      if (exceedsShare(share, weight, limits)) throw refusals.owner()
      if (total.count >= limits.waiting || total.weight + weight > maxWeight) throw refusals.all()
      shares.set(owner, share)
      add(share, 1, weight)
      return share
    },
    leave(share, weight) {
      add(share, -1, -weight)
      shares.delete(share.owner)
      if (share.count > 0) shares.set(share.owner, share)
    },
    next(freeWorkers) {
      if (freeWorkers === 0) return undefined
      const maxUse = freeWorkers === 1 && limits.workers > 1 ? LARGE_USE_MS : Number.POSITIVE_INFINITY
      const ready = [...shares.values()]
        .filter(({ working, starts }) => working < maxWorkers && starts.length > 0)
        .map((share) => ({ share, use: used.of(share.owner) }))
        .filter(({ use }) => use <= maxUse)
      const steps = ({ use }: { readonly use: number }): number => Math.floor(use / USE_STEP_MS)
      return ready.toSorted((one, other) => steps(one) - steps(other)).at(0)?.share
    },
    get isEmpty() {
      return total.count === 0
    },
  }
}

function exceedsShare({ count, weight }: Share, more: number, { waiting, ...limits }: QueueLimits): boolean {
  if (count === 0) return false
  const places = limits.ofOwner?.waiting ?? Math.max(MIN_PLACES, waiting / SHARE_OF.waiting)
  return count >= places || (limits.weight !== undefined && weight + more > limits.weight / SHARE_OF.weight)
}
