import { officialZone } from './places/official-zone.ts'
import type { Profile } from './profile/profile.ts'

const DEFAULT_ZONE = 'Asia/Shanghai'

/**
 * By whose clock a user's days begin: the client's of this moment, the one that they prefer, or that of their birth.
 * IANA.
 */
export function zoneOf(
  { preferences, birth }: Profile,
  said: { readonly timeZone?: string | null | undefined } = {},
): string {
  const ofBirth = birth?.place && officialZone(birth.place)
  return said.timeZone ?? preferences.zone ?? ofBirth ?? DEFAULT_ZONE
}

/** Whether a name is that of a zone whose clock is known. A mere offset is no zone: it knows no summer time. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
