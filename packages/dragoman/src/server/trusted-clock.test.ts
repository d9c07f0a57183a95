import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createTrustedClock, trustedClockMigrations } from './trusted-clock.ts'
import type { Database } from '../database/index.ts'
import { openTestDatabase } from '../testing/test-storage.fixture.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const START = Date.parse('2026-11-24T00:00:00Z')

describe('the trusted clock', () => {
  let db: Database
  let now: number
  let warnings: string[]
  beforeEach(async () => {
    db = await openTestDatabase(trustedClockMigrations)
    now = START
    warnings = []
  })
  afterEach(() => db.destroy())
  /** A new clock on the same database, as after a restart. */
  const isTrustedAfter = (ms: number): Promise<boolean> => {
    now += ms
    return createTrustedClock(
      db,
      (problem) => warnings.push(problem),
      () => now,
    ).isTrusted()
  }

  it('is trusted while time passes, and when the clock is set back', async () => {
    const steps = [0, 10_000, HOUR_MS, 23 * HOUR_MS, -400 * DAY_MS, HOUR_MS]
    for (const step of steps) expect(await isTrustedAfter(step)).toBe(true)
    expect(warnings).toEqual([])
  })

  it('is distrusted after a jump ahead until the clock is corrected, and warns once', async () => {
    await isTrustedAfter(0)

    expect(await isTrustedAfter(90 * DAY_MS)).toBe(false)
    expect(await isTrustedAfter(10_000)).toBe(false)
    expect(await isTrustedAfter(HOUR_MS / 2)).toBe(false)
    expect(await isTrustedAfter(-90 * DAY_MS)).toBe(true)
    expect(warnings).toEqual([
      'The clock is 90 days ahead of when this home was last used. Nothing is deleted for its age for an hour.',
    ])
  })

  it('is trusted again after an hour of the new time, across restarts', async () => {
    await isTrustedAfter(0)
    await isTrustedAfter(90 * DAY_MS)

    for (const step of [20, 20, 19]) expect(await isTrustedAfter(step * 60_000)).toBe(false)
    expect(await isTrustedAfter(60_000)).toBe(true)
    expect(await isTrustedAfter(10_000)).toBe(true)
  })

  it('starts a new hour of distrust when the clock jumps again', async () => {
    await isTrustedAfter(0)
    await isTrustedAfter(30 * DAY_MS)

    expect(await isTrustedAfter(60 * DAY_MS)).toBe(false)
    expect(await isTrustedAfter(59 * 60_000)).toBe(false)
    expect(await isTrustedAfter(60_000)).toBe(true)
    expect(warnings).toHaveLength(2)
  })
})
