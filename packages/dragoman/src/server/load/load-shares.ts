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
  /** What may be ended for a new caller, the oldest first: by what ends it, what ends with it. */
  readonly endable: Map<() => void, Endable>
}

/** What ends together, such as all that one connection holds. */
export type Endable = { readonly holds: Set<Held>; readonly used: Amounts }

/** One thing that counts. */
export type Held = {
  readonly kind: LoadKind
  readonly end: (() => void) | undefined
  share: Share
  amount: number
  isReleased: boolean
  /** What it ends with. */
  endable: Endable | undefined
}

export type Payer = { readonly pool: LoadPool; readonly id: string; readonly limit: Share['limit'] }

export type Pools = Readonly<Record<LoadPool, Pool>> & {
  /** What ends with a token. It may be empty. */
  readonly byToken: Map<string, Endable>
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
  return share ?? { id, pool: pools[pool], limit, used: { ...NOTHING }, holds: 0, endable: new Map() }
}

/** What may fill which part of the limits: large things leave room for small ones. */
export type LimitPart = 'all' | 'large'
const PARTS: Readonly<Record<LimitPart, { readonly own: number; readonly all: number }>> = {
  all: { own: 1, all: 1 },
  large: { own: 1 / 4, all: 1 / 2 },
}

/** What the callers of one pool hold of one kind. */
export type LoadTotal = {
  readonly kind: LoadKind
  readonly pool: LoadPool
  readonly used: number
  /** The most that all may hold. Kinds with one budget have one limit. `Infinity` is no limit. */
  readonly limit: number
  /** How often it was refused, or something was ended for it, since the server started. */
  readonly refusals: number
}

/** What something would take. */
export type Amount = {
  readonly kind: LoadKind
  readonly amount: number
  readonly part?: LimitPart | undefined
}

export function totalOf(pools: Pools, pool: LoadPool, kind: LoadKind): LoadTotal {
  return { kind, pool, ...pools[pool].byKind[kind], limit: pools[pool].limits[BUDGETS[kind]].all }
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
  if (end && share.pool.name === 'addresses') held.endable = endableOf(share.endable, end)
  else if (end && tokenId !== undefined) held.endable = endableOf(pools.byToken, tokenId)
  held.endable?.holds.add(held)
  add(held, held.amount)
}

export function leave(held: Held): void {
  const { share, endable, end } = held
  add(held, -held.amount)
  endable?.holds.delete(held)
  if (end && endable?.holds.size === 0 && share.endable.get(end) === endable) share.endable.delete(end)
  held.endable = undefined
  share.holds -= 1
  if (share.holds === 0) share.pool.shares.delete(share.id)
}

export function add({ kind, share, endable }: Held, amount: number): void {
  const budget = BUDGETS[kind]
  share.used[budget] += amount
  share.pool.used[budget] += amount
  share.pool.byKind[kind].used += amount
  if (endable) endable.used[budget] += amount
}

/**
 * What a share would end for room: what holds most, the oldest among equals. All connections are equal: those whose
 * request waits for the server, and not for its client, come last. It looks at each: an address has few.
 */
export function findOwnEndable({ endable }: Share, kind: LoadKind): Endable | undefined {
  const budget = BUDGETS[kind]
  let largest: Endable | undefined
  for (const each of endable.values()) {
    const { used } = each
    if (budget === 'connections' && used.connections > 0 && used.waitingMessages === 0) return each
    if (used[budget] > (largest?.used[budget] ?? 0)) largest = each
  }
  return largest
}

/**
 * The same of the share that holds most; `share` comes first among equals. A pool has at most as many shares as places.
 */
export function findEndable(share: Share, kind: LoadKind): Endable | undefined {
  const budget = BUDGETS[kind]
  let largest = share
  for (const each of share.pool.shares.values()) {
    if (!hasEndable(each, budget)) continue
    if (each.used[budget] > largest.used[budget] || !hasEndable(largest, budget)) largest = each
  }
  return findOwnEndable(largest, kind)
}

function hasEndable({ endable }: Share, budget: LoadBudget): boolean {
  for (const { used } of endable.values()) if (used[budget] > 0) return true
  return false
}

function endableOf<Key>(all: Map<Key, Endable>, key: Key): Endable {
  const endable = all.get(key) ?? { holds: new Set(), used: { ...NOTHING } }
  all.set(key, endable)
  return endable
}
