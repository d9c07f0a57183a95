import type { Json } from 'dragoman/events'
import { dayIn, formatDate } from './almanac/civil-date.ts'
import { readContext } from './context.ts'
import type { Profile } from './profile/profile.ts'
import { zoneOf } from './time-zone.ts'

/** The day of a time by the user's clock: `2026-01-31`. */
export function localDay(
  isoTime: string,
  context: Json,
  profile: Pick<Profile, 'preferences' | 'birth'> = { preferences: { memory: false } },
): string {
  return formatDate(dayIn(zoneOf({ told: {}, ...profile }, readContext(context)), new Date(isoTime)))
}
