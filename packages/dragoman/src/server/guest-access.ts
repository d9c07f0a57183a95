import {
  createGuestClaims,
  createGuests,
  createGuestVisits,
  readGuestKey,
  type GuestClaims,
  type Guests,
  type GuestVisits,
} from '../access/users/index.ts'
import { enforceRateLimit, type Cluster, type RateLimit } from '../cluster/index.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/index.ts'

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
}

/** What the server knows of guests: their claims, their visits and their cookies. */
export function createGuestAccess(
  { home, env }: Pick<Config, 'home' | 'env'>,
  { db, cluster }: { readonly db: Database; readonly cluster: Cluster },
): GuestAccess {
  const guestClaims = createGuestClaims(db)
  const guestVisits = createGuestVisits(db)
  const allGuests = createGuests({
    readKey: () => readGuestKey({ home, db, secret: env['DRAGOMAN_SECRET'] }),
    recordVisit: async (guest) => !(await guestClaims.isComplete(guest)) && guestVisits.record(guest),
    limitNewGuests: (address) => enforceRateLimit(cluster, NEW_GUESTS, address),
  })
  return { guestClaims, guestVisits, allGuests }
}
