import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { formatInZone, periods, spanOf } from './period.ts'

const HOUR_MS = 3_600_000
const zones = [
  'UTC',
  'Asia/Shanghai',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Africa/Cairo',
  'Asia/Beirut',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
]

const hours = (from: string, zone: string): number => {
  const { start, end } = spanOf('daily', Date.parse(from), zone)
  return (end - start) / HOUR_MS
}

describe('spanOf', () => {
  it.each([
    ['daily', 'UTC', '2026-11-23T00:00:00Z', '2026-11-23T00:00:00+00:00', '2026-11-24T00:00:00+00:00'],
    ['daily', 'UTC', '2026-11-23T23:59:59.999Z', '2026-11-23T00:00:00+00:00', '2026-11-24T00:00:00+00:00'],
    [
      'daily',
      'Asia/Shanghai',
      '2026-11-22T16:00:00Z',
      '2026-11-23T00:00:00+08:00',
      '2026-11-24T00:00:00+08:00',
    ],
    [
      'hourly',
      'Asia/Kolkata',
      '2026-11-23T10:00:00Z',
      '2026-11-23T15:00:00+05:30',
      '2026-11-23T16:00:00+05:30',
    ],
    ['weekly', 'UTC', '2026-11-22T12:00:00Z', '2026-11-16T00:00:00+00:00', '2026-11-23T00:00:00+00:00'],
    ['weekly', 'UTC', '2026-11-23T00:00:00Z', '2026-11-23T00:00:00+00:00', '2026-11-30T00:00:00+00:00'],
    ['monthly', 'UTC', '2026-12-31T12:00:00Z', '2026-12-01T00:00:00+00:00', '2027-01-01T00:00:00+00:00'],
    [
      'monthly',
      'America/New_York',
      '2026-11-15T12:00:00Z',
      '2026-11-01T00:00:00-04:00',
      '2026-12-01T00:00:00-05:00',
    ],
    // The clock skips midnight: https://www.timeanddate.com/time/change/lebanon, /egypt
    [
      'daily',
      'Asia/Beirut',
      '2026-03-29T12:00:00Z',
      '2026-03-29T01:00:00+03:00',
      '2026-03-30T00:00:00+03:00',
    ],
    [
      'daily',
      'Africa/Cairo',
      '2026-04-24T12:00:00Z',
      '2026-04-24T01:00:00+03:00',
      '2026-04-25T00:00:00+03:00',
    ],
    // Midnight occurs twice: the first one counts.
    [
      'daily',
      'America/Havana',
      '2026-11-01T12:00:00Z',
      '2026-11-01T00:00:00-04:00',
      '2026-11-02T00:00:00-05:00',
    ],
  ] as const)('%s in %s of %s begins at %s, and ends at %s', (...row) => {
    const [period, zone, at, start, end] = row
    const span = spanOf(period, Date.parse(at), zone)

    expect([formatInZone(span.start, zone), formatInZone(span.end, zone)]).toEqual([start, end])
  })

  it.each([
    ['America/New_York', '2026-03-08T12:00:00Z', 23],
    ['America/New_York', '2026-11-01T12:00:00Z', 25],
    ['Australia/Lord_Howe', '2026-10-04T00:00:00Z', 23.5],
    ['Australia/Lord_Howe', '2026-04-05T00:00:00Z', 24.5],
    ['Asia/Shanghai', '2026-11-01T12:00:00Z', 24],
  ])('computes days that are longer or shorter: %s on %s', (zone, at, expected) => {
    expect(hours(at, zone)).toBe(expected)
  })

  it('contains its moment and touches its neighbors', () => {
    const moment = fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2040-01-01') })

    fc.assert(
      fc.property(fc.constantFrom(...periods), fc.constantFrom(...zones), moment, (period, zone, at) => {
        const { start, end } = spanOf(period, at, zone)

        expect(start).toBeLessThanOrEqual(at)
        expect(end).toBeGreaterThan(at)
        expect(spanOf(period, start, zone)).toEqual({ start, end })
        expect(spanOf(period, end - 1, zone)).toEqual({ start, end })
        expect(spanOf(period, end, zone).start).toBe(end)
        expect(spanOf(period, start - 1, zone).end).toBe(start)
      }),
      { numRuns: 150 },
    )
  })
})

it('limits the cache of spans across spellings of zone names', () => {
  const at = Date.parse('2026-11-23T12:00:00Z')
  const first = spanOf('daily', at, 'UTC')
  expect(spanOf('daily', at, 'UTC')).toBe(first)

  for (let way = 0; way < 2100; way++) {
    const name = Array.from('america/new_york', (letter, place) =>
      (way >> place) % 2 === 1 ? letter.toUpperCase() : letter,
    )
    spanOf('daily', at, name.join(''))
  }

  expect(spanOf('daily', at, 'UTC')).not.toBe(first)
})
