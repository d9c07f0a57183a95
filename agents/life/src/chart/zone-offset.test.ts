import { describe, expect, it } from 'vitest'

import { instantsOf, offsetAt, summerTimeAt } from './zone-offset.ts'
import cases from '../../test/data/charts.json' with { type: 'json' }

describe('the clocks of a zone', () => {
  it.each(cases.zoneOffsets)(
    'of $zone on $day are $offset minutes ahead, $summer of them for summer time',
    ({ zone, day, offset, summer }) => {
      const instant = Date.parse(`${day}T12:00Z`)

      expect(offsetAt(zone, instant)).toBeCloseTo(offset, 6)
      expect(summerTimeAt(zone, instant)).toBe(summer)
    },
  )

  it.each([
    ['once', 'America/New_York', '1990-05-15T12:00', ['1990-05-15T16:00:00.000Z']],
    [
      'twice in autumn',
      'America/New_York',
      '1990-10-28T01:30',
      ['1990-10-28T05:30:00.000Z', '1990-10-28T06:30:00.000Z'],
    ],
    ['never in spring', 'America/New_York', '1990-04-01T02:30', []],
    ['never on a day that was left out', 'Pacific/Apia', '2011-12-30T12:00', []],
  ])('show a time %s', (_when, zone, wall, instants) => {
    const found = instantsOf(zone, Date.parse(`${wall}Z`))

    expect(found.map((instant) => new Date(instant).toISOString())).toEqual(instants)
  })

  it('are refused of a zone that there is not', () => {
    expect(() => offsetAt('Mars/Olympus', 0)).toThrow('birthPlace: "Mars/Olympus" is no time zone.')
  })
})
