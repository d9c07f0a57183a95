import type { Json } from 'dragoman/events'
import { dayIn } from '../almanac/civil-date.ts'
import { zoneOf } from '../time-zone.ts'
import { readContext } from '../context.ts'
import type { Profile } from '../profile/profile.ts'

/** The zone in which a user's days are told, and the year that it is there. */
export function thisYear(profile: Profile, context: Json, now: Date): { zone: string; year: number } {
  const zone = zoneOf(profile, readContext(context))
  return { zone, year: dayIn(zone, now).year }
}
