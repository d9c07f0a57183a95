import {
  createGuestClaims,
  createGuests,
  createGuestVisits,
  readServerKeys,
  type GuestClaims,
  type Guests,
  type GuestVisits,
} from '../access/users/index.ts'
import { enforceRateLimit, type Cluster, type RateLimit } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/index.ts'
import { isGuest } from '../events/index.ts'

const NEW_GUESTS: RateLimit = {
  name: 'new guests',
  max: 20,
  windowMs: 3_600_000,
  refusal: () =>
    'Too many new guests have come from this address: keep the cookie, come later, or bring a token.',
}

export type GuestAccess = {
  readonly guestClaims: GuestClaims
  readonly guestVisits: GuestVisits
  /** Also needed where guests are disabled now: data of earlier guests can still be claimed. */
  readonly allGuests: Guests
  /** The address that pays for a guest, if it is known. Undefined for other users. */
  readonly addressOf: (userId: string) => string | undefined
}

/** What the server knows of guests: their claims, their visits and their cookies. */
export function createGuestAccess(
  { home, env, guests }: Pick<Config, 'home' | 'env' | 'guests'>,
  { db, cluster }: { readonly db: Database; readonly cluster: Cluster },
): GuestAccess {
  const guestClaims = createGuestClaims(db)
  const guestVisits = createGuestVisits(db)
  const allGuests = createGuests({
    readKeys: () => readServerKeys({ name: 'guest-key', home, db, env }),
    recordVisit: async (guest) => !(await guestClaims.isComplete(guest)) && guestVisits.record(guest),
    limitNewGuests: (address) => enforceRateLimit(cluster, NEW_GUESTS, address),
  })
  const addressOf = (userId: string): string | undefined =>
    isGuest(userId) ? ((guests ? allGuests.addressOf(userId) : undefined) ?? '') : undefined
  return { guestClaims, guestVisits, allGuests, addressOf }
}
