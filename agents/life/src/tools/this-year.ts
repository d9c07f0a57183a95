import type { Json } from 'dragoman/events'
import { dayIn } from '../almanac/civil-date.ts'
import { zoneOf } from '../time-zone.ts'
import { readContext } from '../context.ts'
import type { Profile } from '../profile/profile.ts'

/** The time zone of a user and the current year in it. */
export function thisYear(profile: Profile, context: Json, now: Date): { zone: string; year: number } {
  const zone = zoneOf(profile, readContext(context))
  return { zone, year: dayIn(zone, now).year }
}
