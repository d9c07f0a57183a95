import { nanoid } from 'nanoid'

import { GUEST_PREFIX } from '../../events/index.ts'
import type { SealKeys } from '../../sealing/index.ts'
import { clearingCookies, createGuestCookies } from './guest-cookies.ts'

/** A request without a token. */
export type GuestRequest = {
  /** The `cookie` header. */
  readonly cookies: string | undefined
  /** For IPv6, the network is enough. */
  readonly address: string
  /** Whether the connection is encrypted. */
  readonly secure: boolean
}

/** Users without an account, identified by a signed cookie. */
export interface Guests {
  /**
   * Identifies the guest, with a cookie for a new one.
   * @throws ServiceError `rate-limited` if too many new guests come from one address, `unauthorized` for two cookies
   */
  admit(stranger: GuestRequest): Promise<Admission>
  /**
   * Identifies a guest by a valid cookie; undefined if there is none, or if that guest was removed. The guest gets a
   * new cookie where the connection is encrypted and the cookie is not bound to this host.
   * @throws ServiceError `unauthorized` for two cookies
   */
  readmit(stranger: GuestRequest): Promise<Admission | undefined>
  /** The guest of a valid cookie, even if that guest was removed. @throws ServiceError `unauthorized` as above */
  findByCookie(cookies: string): Promise<string | undefined>
  /** The `Set-Cookie`s that clear the guest's cookies. */
  clearingCookies(secure: boolean): readonly string[]
  /** The keyed hash of a guest's latest address. '' if it is no longer remembered. */
  addressOf(userId: string): string
}

type Admission = { readonly userId: string; readonly cookie?: string }

/** Addresses of the latest guests are remembered. */
const MAX_ADDRESSES = 10_000

export type GuestPorts = {
  /** The key that signs cookies, and those whose signatures count too. */
  readonly readKeys: () => Promise<SealKeys>
  /** Records a visit and returns whether the guest exists. */
  readonly recordVisit: (userId: string) => Promise<boolean>
  /** @throws ServiceError `rate-limited` if too many new guests come from one address */
  readonly limitNewGuests: (addressHash: string) => Promise<void>
}

/** A signed cookie identifies its guest. */
export function createGuests({ readKeys, recordVisit, limitNewGuests }: GuestPorts): Guests {
  const { sign, findCookie, createCookie } = createGuestCookies(readKeys)
  const addresses = new Map<string, string>()
  const rememberAddress = (userId: string, address: string): void => {
    addresses.delete(userId)
    addresses.set(userId, address)
    for (const oldest of addresses.keys()) {
      if (addresses.size <= MAX_ADDRESSES) break
      addresses.delete(oldest)
    }
  }
  const hashAddress = async (address: string): Promise<string> =>
    (await sign('address', address)).toString('base64url')
  const readmit: Guests['readmit'] = async ({ cookies, address, secure }) => {
    const found = cookies === undefined ? undefined : await findCookie(cookies)
    if (!found || !(await recordVisit(found.userId))) return undefined
    const { userId, isBound } = found
    rememberAddress(userId, await hashAddress(address))
    return { userId, ...(secure && !isBound && { cookie: await createCookie(userId, secure) }) }
  }
  return {
    readmit,
    async admit(stranger) {
      const returning = await readmit(stranger)
      if (returning) return returning
      const { address, secure } = stranger
      const addressHash = await hashAddress(address)
      await limitNewGuests(addressHash)
      const userId = `${GUEST_PREFIX}${nanoid(12)}`
      await recordVisit(userId)
      rememberAddress(userId, addressHash)
      return { userId, cookie: await createCookie(userId, secure) }
    },
    findByCookie: async (cookies) => (await findCookie(cookies))?.userId,
    clearingCookies,
    addressOf: (userId) => addresses.get(userId) ?? '',
  }
}
