import { isGuest } from '../../events/index.ts'
import { fullError, shareError } from './load-errors.ts'
import { BUDGETS, LOAD_KINDS, LOAD_POOLS, type LoadKind, type LoadLimits } from './load-limits.ts'
import {
  add,
  createPools,
  enter,
  findEndable,
  findOwnEndable,
  findShare,
  hasRoom,
  leave,
  limitsOf,
  totalOf,
} from './load-shares.ts'
import type { Amount, Endable, Held, LimitPart, LoadTotal, Payer, Pools, Share } from './load-shares.ts'
import { createLoopTurns, type LoopTurns } from './loop-turns.ts'
import { createReadingPace, type ReadingPace } from './reading-pace.ts'
import { createWaitingTakes, type WaitingTakes } from './waiting-takes.ts'

/** Who is made to pay: a user, or the network address of a caller that has none (an IPv6 address by its /64). */
export type LoadParty =
  | { readonly userId: string; readonly tokenId?: string | undefined }
  | { readonly address: string }

/**
 * Counts what every caller makes the server hold. Users, guests and callers without a user have places of their own, so
 * none of them can take those of the others. An operation costs the same, however much is held; to make room costs as
 * much as callers without a user have connections.
 */
export interface LoadAccount {
  share(party: LoadParty): LoadShare
  totals(): readonly LoadTotal[]
  /** The tokens of all holds with an `end`. */
  tokenIds(): string[]
  /** Ends all that a token holds. */
  endToken(tokenId: string): void
}

/** What one party holds. */
export interface LoadShare {
  readonly party: LoadParty
  /**
   * Counts something until it is released. `end` ends it: a new caller needs its place, which happens only to callers
   * without a user, or its token was revoked. All that an address holds with the same `end` ends together. Before `end`
   * is called, what it ends is released.
   * @throws ServiceError `rate-limited` if the party's share is used up, `overloaded` if the server is full
   */
  take(kind: LoadKind, amount?: number, end?: () => void): Hold
  /**
   * Takes once there is room, in the order of calls; more than the limit once there is nothing else. What is `large`
   * may fill a quarter of the party's limit and half of that of all, and counts as at most half of that quarter.
   * @throws ServiceError as `take`, after 30 s, and the signal's reason once it aborts
   */
  wait(kind: LoadKind, amount: number, signal: AbortSignal, part?: LimitPart): Promise<Hold>
  /** Ends nothing. @throws ServiceError as `take`, if nothing more of the kind has room */
  requireRoom(kind: LoadKind): void
  hasRoom(kind: LoadKind, part?: LimitPart): boolean
  /**
   * Waits for a user's turn: it begins one thing in each turn of the event loop, and others begin theirs in between.
   * Undefined if it need not wait. An address has no turns: several users may share it.
   * @throws the signal's reason once it aborts
   */
  turn(signal?: AbortSignal): Promise<void> | undefined
  /** Counts bytes that the party has sent. Returns for how many ms no more of it should be read. */
  pace(bytes: number): number
}

/** Something that counts until it is released. */
export interface Hold {
  /** @throws ServiceError as `take`; the old amount counts then */
  resize(amount: number): void
  /** Counts what is in memory already. Beyond the limit, further takes are refused. */
  record(amount: number): void
  /** Counts for another party from now on. @throws ServiceError as `take`; the first party pays then */
  move(share: LoadShare): void
  release(): void
}

export type LoadAccountOptions = {
  readonly limits: LoadLimits
  /** Bytes that one party may send in a second, on average. */
  readonly bytesPerSecond: number
  /** The user of a server that needs no token: only the limits of all count. */
  readonly local?: string | undefined
  /** The address that pays for a guest: a new guest of the same address has no new share. */
  readonly addressOf?: (guestId: string) => string | undefined
}

/** Beyond so many requests in progress, a party begins few more in a second. A browser has six connections. */
const MAX_BUSY_REQUESTS = 6

type Account = {
  readonly pools: Pools
  readonly waiting: WaitingTakes<Hold>
  readonly turns: LoopTurns<Share>
  readonly reading: ReadingPace
  readonly shareOf: (party: LoadParty) => Share
}

export function createLoadAccount(options: LoadAccountOptions): LoadAccount {
  const pools = createPools(options.limits)
  const account: Account = {
    pools,
    waiting: createWaitingTakes(),
    turns: createLoopTurns(isBusy),
    reading: createReadingPace(options.bytesPerSecond),
    shareOf: (party) => findShare(pools, payerOf(party, options)),
  }
  return {
    share: (party) => createShare(account, party),
    totals: () => LOAD_POOLS.flatMap((pool) => LOAD_KINDS.map((kind) => totalOf(pools, pool, kind))),
    tokenIds() {
      for (const [id, { holds }] of pools.byToken) if (holds.size === 0) pools.byToken.delete(id)
      return [...pools.byToken.keys()]
    },
    endToken: (tokenId) => end(account, pools.byToken.get(tokenId)),
  }
}

function createShare(account: Account, party: LoadParty): LoadShare {
  const share = (): Share => account.shareOf(party)
  const take = (kind: LoadKind, amount: number, how: { end?: () => void; part?: LimitPart } = {}): Hold => {
    const { end: endIt, part } = how
    makeRoom(account, share(), { kind, amount, part })
    const held = { kind, end: endIt, share: share(), amount, isReleased: false, endable: undefined }
    enter(account.pools, held, tokenOf(party))
    return createHold(account, held)
  }
  return {
    party,
    take: (kind, amount = 1, endIt) => take(kind, amount, endIt ? { end: endIt } : {}),
    wait: async (kind, most, signal, part = 'all') => {
      const { pool, id } = share()
      const { own } = limitsOf(share(), kind, part)
      const amount = Math.min(most, part === 'all' ? own : own / 2)
      return account.waiting.wait(
        {
          queue: `${kind} ${part} ${pool.name} ${id}`,
          hasRoom: () => hasRoom(share(), { kind, amount, part }),
          take: () => take(kind, amount, { part }),
        },
        signal,
      )
    },
    requireRoom: (kind) => checkRoom(share(), kind),
    turn(signal) {
      const own = share()
      return 'address' in party || own.limit === 'all' ? undefined : account.turns.wait(own, signal)
    },
    pace(bytes) {
      const { id, pool, limit } = share()
      return limit === 'all' ? 0 : account.reading.pace(`${pool.name} ${id}`, bytes)
    },
    hasRoom: (kind, part) => hasRoom(share(), { kind, amount: 1, part }),
  }
}

function createHold(account: Account, held: Held): Hold {
  const record = (amount: number): void => {
    if (held.isReleased) return
    const isLess = amount < held.amount
    add(held, amount - held.amount)
    held.amount = amount
    if (isLess) account.waiting.serve()
  }
  return {
    record,
    resize(amount) {
      if (!held.isReleased && amount > held.amount)
        makeRoom(account, held.share, { kind: held.kind, amount: amount - held.amount })
      // To make room may have ended this one.
      record(amount)
    },
    move({ party }) {
      const to = account.shareOf(party)
      if (held.isReleased) return
      if (to !== held.share) makeRoom(account, to, held)
      leave(held)
      held.share = account.shareOf(party)
      enter(account.pools, held, tokenOf(party))
      account.waiting.serve()
    },
    release: () => release(account, held),
  }
}

function checkRoom(share: Share, kind: LoadKind): void {
  if (hasRoom(share, { kind, amount: 1 })) return
  const budget = BUDGETS[kind]
  const { own, all } = limitsOf(share, kind)
  const isUsedUp = share.used[budget] >= own
  if (!isUsedUp && findEndable(share, kind)) return
  share.pool.byKind[kind].refusals += 1
  throw isUsedUp ? shareError(kind, { own, all }) : fullError(kind, all)
}

/** Ends what may be ended until there is room. @throws ServiceError */
function makeRoom(account: Account, share: Share, { kind, amount, part }: Amount): void {
  if (amount <= 0) return
  const budget = BUDGETS[kind]
  const { pool } = share
  const { own, all } = limitsOf(share, kind, part)
  const endOne = (endable: Endable | undefined, refusal: () => Error): void => {
    pool.byKind[kind].refusals += 1
    if (!endable) throw refusal()
    end(account, endable)
  }
  while (share.used[budget] + amount > own)
    endOne(findOwnEndable(share, kind), () => shareError(kind, { own, all }))
  while (pool.used[budget] + amount > all) endOne(findEndable(share, kind), () => fullError(kind, all))
}

function end(account: Account, endable: Endable | undefined): void {
  const holds = [...(endable?.holds ?? [])]
  for (const held of holds) release(account, held)
  for (const endIt of new Set(holds.map((held) => held.end))) endIt?.()
}

function release({ waiting }: Account, held: Held): void {
  if (held.isReleased) return
  held.isReleased = true
  leave(held)
  waiting.serve()
}

function isBusy({ used }: Share): boolean {
  return used.requests >= MAX_BUSY_REQUESTS
}

function tokenOf(party: LoadParty): string | undefined {
  return 'tokenId' in party ? party.tokenId : undefined
}

function payerOf(party: LoadParty, { local, addressOf }: LoadAccountOptions): Payer {
  if ('address' in party) return { pool: 'addresses', id: party.address, limit: 'each' }
  const { userId } = party
  if (isGuest(userId)) return { pool: 'guests', id: addressOf?.(userId) || userId, limit: 'each' }
  return { pool: 'users', id: userId, limit: userId === local ? 'all' : 'each' }
}
