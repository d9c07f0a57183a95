import { describe, expect, it } from 'vitest'

import { instantsOf, offsetAt, summerTimeAt } from './zone-offset.ts'

describe('the clocks of a zone', () => {
  it.each([
    ['Asia/Shanghai', '1900-06-01', 485 + 43 / 60, 0],
    ['Asia/Shanghai', '1941-07-01', 540, 60],
    ['Asia/Shanghai', '1943-01-15', 540, 60],
    ['Asia/Shanghai', '1975-07-01', 480, 0],
    ['Asia/Shanghai', '1988-07-01', 540, 60],
    ['Asia/Shanghai', '1988-12-01', 480, 0],
    ['Asia/Shanghai', '1992-07-01', 480, 0],
    ['Asia/Urumqi', '1988-07-01', 360, 0],
    ['Asia/Hong_Kong', '1965-07-01', 540, 60],
    ['Asia/Hong_Kong', '1965-12-01', 480, 0],
    ['Asia/Taipei', '1950-07-01', 540, 60],
    ['Asia/Tokyo', '1950-07-01', 600, 60],
    ['America/New_York', '1944-02-01', -240, 60],
    ['America/New_York', '1990-01-15', -300, 0],
    ['America/New_York', '1990-07-15', -240, 60],
    ['Australia/Sydney', '1990-01-15', 660, 60],
    ['Australia/Sydney', '1990-07-15', 600, 0],
    ['Europe/London', '1943-07-15', 120, 120],
    ['Europe/London', '1943-01-15', 60, 60],
    ['Europe/London', '1947-05-15', 120, 120],
    ['Europe/Berlin', '1945-05-10', 120, 60],
    ['Europe/Berlin', '1945-06-15', 180, 120],
    ['Europe/Berlin', '1947-06-01', 180, 120],
    ['Europe/Lisbon', '1943-06-15', 120, 120],
    ['Europe/Madrid', '1944-07-15', 120, 60],
    ['Europe/Dublin', '1990-07-01', 60, 60],
    ['Europe/Dublin', '1990-01-15', 0, 0],
    ['Pacific/Apia', '2011-12-15', -600, 60],
    ['Pacific/Apia', '2012-01-15', 840, 60],
    ['Pacific/Apia', '2012-07-15', 780, 0],
    ['Europe/Moscow', '2012-06-15', 240, 0],
    ['Asia/Kolkata', '2000-06-15', 330, 0],
    ['Etc/GMT-8', '1988-07-01', 480, 0],
  ])('of %s on %s are %d minutes ahead, %d of them for summer', (zone, day, offset, summer) => {
    const instant = Date.parse(`${day}T12:00Z`)

    expect(offsetAt(zone, instant)).toBeCloseTo(offset, 6)
    expect(summerTimeAt(zone, instant)).toBe(summer)
  })

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
