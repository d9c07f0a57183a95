import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Database } from '../../database/index.ts'
import {
  createGuestClaims,
  userMigrations,
  createGuestVisits,
  type GuestClaims,
  type GuestVisits,
} from './index.ts'
import { openTestDatabase } from '../../testing/test-storage.fixture.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const GUEST = 'guest_abcdefghijkl'

let db: Database
let now: number
let visits: GuestVisits
let claims: GuestClaims
beforeEach(async () => {
  db = await openTestDatabase(userMigrations)
  now = Date.parse('2026-11-22T08:00:00Z')
  visits = createGuestVisits(db, () => now)
  claims = createGuestClaims(db)
})
afterEach(() => db.destroy())

const absentGuests = async (days: number, limit = 10) =>
  (await visits.listAbsent(now - days * DAY_MS, { limit })).map(({ guest }) => guest)

describe('16 concurrent claims of a guest', () => {
  it('of several users begin one', async () => {
    const begin = (_none: unknown, user: number) => claims.begin(GUEST, `user_${user}`)

    const results = await Promise.all(Array.from({ length: 16 }, begin))

    expect(results.filter((result) => result === 'begun')).toHaveLength(1)
    expect(results.filter((result) => result === 'taken')).toHaveLength(15)
  })

  it('and removals are one or the other', async () => {
    await visits.record(GUEST)
    now += 8 * DAY_MS
    const attempt = (_none: unknown, at: number) =>
      at % 2 === 0 ? claims.begin(GUEST, 'ada') : visits.beginRemoval(GUEST, now - DAY_MS)

    const results = await Promise.all(Array.from({ length: 16 }, attempt))

    const winners = results.filter((result) => result === 'begun' || result === true)
    expect(winners).toHaveLength(1)
    expect(results).not.toContain('taken')
  })
})

describe('guest visits', () => {
  it('list absent guests in pages, longest absence first', async () => {
    for (const guest of ['guest_c', 'guest_a', 'guest_b']) {
      await visits.record(guest)
      now += guest === 'guest_a' ? 0 : DAY_MS
    }
    now += 7 * DAY_MS

    expect(await absentGuests(8)).toEqual(['guest_c'])
    expect(await absentGuests(9)).toEqual([])
    const [first] = await visits.listAbsent(now, { limit: 1 })
    const rest = await visits.listAbsent(now, { after: first, limit: 5 })
    expect([first, ...rest].map((each) => each?.guest)).toEqual(['guest_c', 'guest_a', 'guest_b'])
  })

  it('restart the absence at each visit', async () => {
    await visits.record(GUEST)
    now += 2 * DAY_MS
    expect(await visits.record(GUEST)).toBe(true)

    expect(await absentGuests(1)).toEqual([])
    now += HOUR_MS / 2
    expect(await visits.record(GUEST)).toBe(true)
    now += DAY_MS
    expect(await absentGuests(1)).toEqual([GUEST])
  })
})

describe('the removal of a guest', () => {
  beforeEach(async () => {
    await visits.record(GUEST)
    now += 10 * DAY_MS
  })
  const beginRemoval = (days = 5): Promise<boolean> => visits.beginRemoval(GUEST, now - days * DAY_MS)

  it('blocks visits and claims until it ends', async () => {
    expect(await beginRemoval()).toBe(true)
    expect(await visits.record(GUEST)).toBe(false)
    expect(await claims.begin(GUEST, 'ada')).toBe('forgotten')
    expect(await claims.isBegun(GUEST)).toBe(false)

    await visits.endRemoval([GUEST])

    expect(await absentGuests(0)).toEqual([])
    expect(await visits.record(GUEST)).toBe(true)
    expect(await claims.begin(GUEST, 'ada')).toBe('begun')
  })

  it('does not begin for a guest who came back or is unknown', async () => {
    const since = now - 5 * DAY_MS
    expect(await visits.beginRemoval('guest_unknown', since)).toBe(false)
    expect(await visits.record(GUEST)).toBe(true)

    expect(await visits.beginRemoval(GUEST, since)).toBe(false)
    await visits.endRemoval([GUEST])
    expect(await visits.beginRemoval(GUEST, now + 1)).toBe(true)
  })

  it('belongs to one process, until it times out', async () => {
    const both = await Promise.all([beginRemoval(), beginRemoval()])
    expect(both.toSorted()).toEqual([false, true])

    now += 0.9 * HOUR_MS
    expect(await beginRemoval()).toBe(false)
    now += 0.2 * HOUR_MS
    expect(await beginRemoval()).toBe(true)
  })

  it('waits until a claim of the guest is complete', async () => {
    await claims.begin(GUEST, 'ada')
    expect(await beginRemoval()).toBe(false)

    await claims.complete(GUEST)
    expect(await beginRemoval()).toBe(true)
    expect(await claims.isComplete(GUEST)).toBe(true)
  })
})
