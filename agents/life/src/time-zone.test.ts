import { describe, expect, it } from 'vitest'

import { birthAt } from './chart/birth.fixture.ts'
import type { Profile } from './profile/profile.ts'
import { zoneOf } from './time-zone.ts'

describe('the zone of a user’s days', () => {
  const born = (zone: string): Profile => ({
    birth: { ...birthAt('1990-05-15 14:30'), place: { name: 'there', latitude: 40, longitude: 80, zone } },
    preferences: { memory: false },
    told: {},
  })

  it.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    // Offices, trains and telephones there go by Beijing's clock.
    ['Asia/Urumqi', 'Asia/Shanghai'],
    ['Asia/Kashgar', 'Asia/Shanghai'],
  ])('of somebody born in %s is %s', (place, zone) => {
    expect(zoneOf(born(place))).toBe(zone)
  })

  it('is the local one of Xinjiang where that is said', () => {
    const { preferences, ...rest } = born('Asia/Urumqi')

    expect(zoneOf({ ...rest, preferences: { ...preferences, zone: 'Asia/Urumqi' } })).toBe('Asia/Urumqi')
    expect(zoneOf(born('Asia/Shanghai'), { timeZone: 'Asia/Urumqi' })).toBe('Asia/Urumqi')
  })
})
