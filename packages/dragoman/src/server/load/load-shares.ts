import { BUDGETS, LOAD_KINDS, LOAD_POOLS } from './load-limits.ts'
import type { LoadBudget, LoadKind, LoadLimits, LoadPool } from './load-limits.ts'

type Amounts = Record<LoadBudget, number>

const NOTHING = Object.fromEntries(Object.values(BUDGETS).map((budget) => [budget, 0])) as Amounts

/** What all shares of a pool hold. */
export type Pool = {
  readonly name: LoadPool
  readonly limits: LoadLimits[LoadPool]
  readonly used: Amounts
  readonly byKind: Record<LoadKind, { used: number; refusals: number }>
  readonly shares: Map<string, Share>
}

/** What one payer holds. It exists for as long as it holds something. */
export type Share = {
  readonly id: string
  readonly pool: Pool
  /** Whether the limits of one share or only those of all count. */
  readonly limit: 'each' | 'all'
  readonly used: Amounts
  holds: number
  /** What may be ended for a new caller, the oldest first. */
  readonly endable: Partial<Record<LoadBudget, Set<Held>>>
}

/** One thing that counts. */
export type Held = {
  readonly kind: LoadKind
  readonly end: (() => void) | undefined
  share: Share
  amount: number
  isReleased: boolean
  /** The set from which it can be ended. */
  endableIn: Set<Held> | undefined
}

export type Payer = { readonly pool: LoadPool; readonly id: string; readonly limit: Share['limit'] }

export type Pools = Readonly<Record<LoadPool, Pool>> & {
  /** What ends with a token. Sets may be empty. */
  readonly byToken: Map<string, Set<Held>>
}

export function createPools(limits: LoadLimits): Pools {
  const pools = LOAD_POOLS.map((name) => {
    const byKind = Object.fromEntries(LOAD_KINDS.map((kind) => [kind, { used: 0, refusals: 0 }]))
    return [name, { name, limits: limits[name], used: { ...NOTHING }, byKind, shares: new Map() }] as const
  })
  return { ...(Object.fromEntries(pools) as unknown as Record<LoadPool, Pool>), byToken: new Map() }
}

export function findShare(pools: Pools, { pool, id, limit }: Payer): Share {
  const share = pools[pool].shares.get(id)
  return share ?? { id, pool: pools[pool], limit, used: { ...NOTHING }, holds: 0, endable: {} }
}

/** What may fill which part of the limits: large things leave room for small ones. */
export type LimitPart = 'all' | 'large'
const PARTS: Readonly<Record<LimitPart, { readonly own: number; readonly all: number }>> = {
  all: { own: 1, all: 1 },
  large: { own: 1 / 4, all: 1 / 2 },
}

/** What something would take. */
export type Amount = {
  readonly kind: LoadKind
  readonly amount: number
  readonly part?: LimitPart | undefined
}

/** The most that a share may hold, and the most that its pool may. */
export function limitsOf(
  { pool, limit }: Share,
  kind: LoadKind,
  part: LimitPart = 'all',
): { own: number; all: number } {
  const limits = pool.limits[BUDGETS[kind]]
  return { own: limits[limit] * PARTS[part].own, all: limits.all * PARTS[part].all }
}

export function hasRoom(share: Share, { kind, amount, part }: Amount): boolean {
  const { own, all } = limitsOf(share, kind, part)
  const budget = BUDGETS[kind]
  return share.used[budget] + amount <= own && share.pool.used[budget] + amount <= all
}

/** Callers without a user make room for newer ones. What users hold ends with its token. */
export function enter(pools: Pools, held: Held, tokenId: string | undefined): void {
  const { share, end } = held
  share.holds += 1
  share.pool.shares.set(share.id, share)
  add(held, held.amount)
  if (!end) return
  if (share.pool.name === 'addresses') held.endableIn = share.endable[BUDGETS[held.kind]] ??= new Set()
  else if (tokenId !== undefined) held.endableIn = setOf(pools.byToken, tokenId)
  held.endableIn?.add(held)
}

export function leave(held: Held): void {
  const { share } = held
  add(held, -held.amount)
  held.endableIn?.delete(held)
  held.endableIn = undefined
  share.holds -= 1
  if (share.holds === 0) share.pool.shares.delete(share.id)
}

export function add({ kind, share }: Held, amount: number): void {
  const budget = BUDGETS[kind]
  share.used[budget] += amount
  share.pool.used[budget] += amount
  share.pool.byKind[kind].used += amount
}

/** The oldest of a share that may be ended. */
export function findOwnEndable({ endable }: Share, kind: LoadKind): Held | undefined {
  const [oldest] = endable[BUDGETS[kind]] ?? []
  return oldest
}

/**
 * The oldest of the share that holds most; `share` comes first among equals. A pool has at most as many shares as
 * places.
 */
export function findEndable(share: Share, kind: LoadKind): Held | undefined {
  const budget = BUDGETS[kind]
  let largest = share
  for (const each of share.pool.shares.values()) {
    if (!each.endable[budget]?.size) continue
    if (!largest.endable[budget]?.size || each.used[budget] > largest.used[budget]) largest = each
  }
  return findOwnEndable(largest, kind)
}

function setOf<Key, Value>(sets: Map<Key, Set<Value>>, key: Key): Set<Value> {
  const set = sets.get(key) ?? new Set<Value>()
  sets.set(key, set)
  return set
}
