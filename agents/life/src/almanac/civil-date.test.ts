import { assert, date, property } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { dayIn, addDays, hourIn, readCivilDate, weekdayOf, formatDate } from './civil-date.ts'

describe('a day of the calendar', () => {
  it.each([
    ['Asia/Shanghai', '2026-03-01T15:59:00Z', '2026-03-01', 23],
    ['Asia/Shanghai', '2026-03-01T16:01:00Z', '2026-03-02', 0],
    ['America/New_York', '2026-07-01T03:59:00Z', '2026-06-30', 23],
    ['America/New_York', '2026-07-01T04:01:00Z', '2026-07-01', 0],
    ['Pacific/Auckland', '2026-01-01T10:59:00Z', '2026-01-01', 23],
    ['Pacific/Auckland', '2026-01-01T11:01:00Z', '2026-01-02', 0],
  ])('begins at midnight of %s: %s', (zone, at, day, hour) => {
    expect([formatDate(dayIn(zone, new Date(at))), hourIn(zone, new Date(at))]).toEqual([day, hour])
  })

  it.each(['2026-02-29', '2026-13-01', '26-01-01', '2026-1-1', '1899-12-31', '2101-01-01', 'today', ''])(
    'is not %j',
    (text) => {
      expect(() => readCivilDate(text, 'date')).toThrow('date must be a day written as 2026-01-21')
    },
  )

  it('is the same after it was written and read, and goes on by one', () => {
    const within = { min: new Date('1900-01-01'), max: new Date('2100-12-30'), noInvalidDate: true }
    assert(
      property(date(within), (at) => {
        const day = dayIn('UTC', at)

        expect(readCivilDate(formatDate(day), 'date')).toEqual(day)
        expect(weekdayOf(addDays(day, 1))).toBe((at.getUTCDay() + 1) % 7)
        expect(formatDate(addDays(day, 1)) > formatDate(day)).toBe(true)
      }),
    )
  })
})
