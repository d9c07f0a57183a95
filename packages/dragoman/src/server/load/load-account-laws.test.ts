import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { Hold, LoadParty } from './load-account.ts'
import { LOAD_POOLS, type LoadPool } from './load-limits.ts'
import { createSmallLoad, LIMITS, refusalOf, usedOf } from './load.fixture.ts'

const parties: readonly LoadParty[] = [
  { userId: 'ada' },
  { userId: 'bob', tokenId: 't' },
  { userId: 'guest_1a' },
  { userId: 'guest_2b' },
  { address: 'a' },
  { address: 'b' },
]
const party = fc.constantFrom(...parties)
const step = fc.oneof(
  fc.record({ do: fc.constant('take' as const), party, isEndable: fc.boolean() }),
  fc.record({ do: fc.constant('release' as const), at: fc.nat() }),
  fc.record({ do: fc.constant('move' as const), at: fc.nat(), party }),
)

it('never holds more than a limit, and no pool depends on another', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const account = createSmallLoad()
      const holds: Hold[] = []
      const live = new Map<Hold, LoadParty>()
      const countOf = (pool: LoadPool, only?: LoadParty): number =>
        [...live.values()].filter((each) => poolOf(each) === pool && (!only || nameOf(each) === nameOf(only)))
          .length
      for (const each of steps) {
        if (each.do === 'take') {
          const pool = poolOf(each.party)
          const { each: own, all } = LIMITS[pool].requests
          const hasRoom = countOf(pool, each.party) < own && countOf(pool) < all
          const endIt = (): void => void live.delete(hold)
          const refusal = refusalOf(() => {
            holds.push(
              account.share(each.party).take('requests', 1, each.isEndable ? () => endIt() : undefined),
            )
          })
          const hold = holds.at(-1) as Hold
          if (hasRoom) expect(refusal).toBeUndefined()
          if (refusal === undefined) live.set(hold, each.party)
        } else {
          const hold = holds[each.at % holds.length]
          if (!hold || !live.has(hold)) continue
          if (each.do === 'release') {
            hold.release()
            live.delete(hold)
          } else if (refusalOf(() => hold.move(account.share(each.party))) === undefined)
            live.set(hold, each.party)
        }
        for (const pool of LOAD_POOLS) {
          expect(usedOf(account, 'requests', pool)).toBe(countOf(pool))
          expect(countOf(pool)).toBeLessThanOrEqual(LIMITS[pool].requests.all)
          for (const one of parties.filter((other) => poolOf(other) === pool))
            expect(countOf(pool, one)).toBeLessThanOrEqual(LIMITS[pool].requests.each)
        }
      }
      for (const hold of holds) hold.release()
      expect(account.totals().every((total) => total.used === 0)).toBe(true)
    }),
  )
})

function poolOf(one: LoadParty): LoadPool {
  if ('address' in one) return 'addresses'
  return one.userId.startsWith('guest_') ? 'guests' : 'users'
}

function nameOf(one: LoadParty): string {
  return 'address' in one ? one.address : one.userId
}
