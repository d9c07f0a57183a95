import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { migrate, openDatabase, type Database } from '../../database/index.ts'
import { claims, userMigrations, visits, type Claims, type Visits } from './index.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const GUEST = 'guest_abcdefghijkl'

let db: Database
let now: number
let all: Visits
let claimed: Claims
beforeEach(async () => {
  db = openDatabase(':memory:')
  await migrate(db, userMigrations)
  now = Date.parse('2026-11-22T08:00:00Z')
  all = visits(db, () => now)
  claimed = claims(db)
})
afterEach(() => db.destroy())

const away = async (days: number, limit = 10) =>
  (await all.away(now - days * DAY_MS, { limit })).map(({ guest }) => guest)

describe('visits of guests', () => {
  it('tell who has not come for so long, the longest away first, page by page', async () => {
    for (const guest of ['guest_c', 'guest_a', 'guest_b']) {
      await all.note(guest)
      now += guest === 'guest_a' ? 0 : DAY_MS
    }
    now += 7 * DAY_MS

    expect(await away(8)).toEqual(['guest_c'])
    expect(await away(9)).toEqual([])
    const [first] = await all.away(now, { limit: 1 })
    const rest = await all.away(now, { after: first, limit: 5 })
    expect([first, ...rest].map((each) => each?.guest)).toEqual(['guest_c', 'guest_a', 'guest_b'])
  })

  it('count anew whenever somebody comes', async () => {
    await all.note(GUEST)
    now += 2 * DAY_MS
    expect(await all.note(GUEST)).toBe(true)

    expect(await away(1)).toEqual([])
    now += HOUR_MS / 2
    expect(await all.note(GUEST)).toBe(true)
    now += DAY_MS
    expect(await away(1)).toEqual([GUEST])
  })
})

describe('a guest who is being forgotten', () => {
  beforeEach(async () => {
    await all.note(GUEST)
    now += 10 * DAY_MS
  })
  const take = (days = 5): Promise<boolean> => all.take(GUEST, now - days * DAY_MS)

  it('is nobody any more, until nothing is left; then they may come anew', async () => {
    expect(await take()).toBe(true)
    expect(await all.note(GUEST)).toBe(false)
    expect(await claimed.begin(GUEST, 'ada')).toBe('forgotten')
    expect(await claimed.isBegun(GUEST)).toBe(false)

    await all.end([GUEST])

    expect(await away(0)).toEqual([])
    expect(await all.note(GUEST)).toBe(true)
    expect(await claimed.begin(GUEST, 'ada')).toBe('begun')
  })

  it('is none who has come in that moment, nor one who never was away', async () => {
    const since = now - 5 * DAY_MS
    expect(await all.take('guest_unknown', since)).toBe(false)
    expect(await all.note(GUEST)).toBe(true)

    expect(await all.take(GUEST, since)).toBe(false)
    await all.end([GUEST])
    expect(await all.take(GUEST, now + 1)).toBe(true)
  })

  it('is taken by one of many at a time, and by another once that one is taken for dead', async () => {
    const both = await Promise.all([take(), take()])
    expect(both.toSorted()).toEqual([false, true])

    now += 0.9 * HOUR_MS
    expect(await take()).toBe(false)
    now += 0.2 * HOUR_MS
    expect(await take()).toBe(true)
  })

  it('is none who is becoming an account’s: only once that is done what is left may go', async () => {
    await claimed.begin(GUEST, 'ada')
    expect(await take()).toBe(false)

    await claimed.complete(GUEST)
    expect(await take()).toBe(true)
    expect(await claimed.isComplete(GUEST)).toBe(true)
  })
})
