import { createHmac, timingSafeEqual } from 'node:crypto'

import { nanoid } from 'nanoid'

import { GUEST_PREFIX } from '../../events/index.ts'

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
   * @throws ServiceError `rate-limited` if too many new guests come from one address
   */
  admit(stranger: GuestRequest): Promise<{ userId: string; cookie?: string }>
  /** Identifies a guest by a valid cookie; undefined if there is none, or if that guest was removed. */
  readmit(stranger: GuestRequest): Promise<{ userId: string } | undefined>
  /** The guest of a valid cookie, even if that guest was removed. */
  findByCookie(cookies: string): Promise<string | undefined>
  /** The `Set-Cookie` that clears the guest's cookie. */
  clearingCookie(secure: boolean): string
  /** The keyed hash of a guest's latest address. '' if it is no longer remembered. */
  addressOf(userId: string): string
}

const COOKIE = 'dragoman_guest'
const COOKIE_LIFETIME_S = 31_536_000
/** Addresses of the latest guests are remembered. */
const MAX_ADDRESSES = 10_000
/** The id and its signature. */
const SIGNED_COOKIE = /^(guest_[\w-]{12})\.([\w-]{43})$/

export type GuestPorts = {
  /** The key that signs cookies. */
  readonly readKey: () => Promise<Buffer>
  /** Records a visit and returns whether the guest exists. */
  readonly recordVisit: (userId: string) => Promise<boolean>
  /** @throws ServiceError `rate-limited` if too many new guests come from one address */
  readonly limitNewGuests: (addressHash: string) => Promise<void>
}

/** A signed cookie identifies its guest. */
export function createGuests({ readKey, recordVisit, limitNewGuests }: GuestPorts): Guests {
  let key: Promise<Buffer> | undefined
  const sign = async (kind: 'guest' | 'address', text: string): Promise<Buffer> => {
    // Retried later: the disk may be full, or the owner may remove a damaged file.
    key ??= readKey().catch((error: unknown) => {
      key = undefined
      throw error
    })
    return createHmac('sha256', await key)
      .update(`${kind}:${text}`)
      .digest()
  }
  const verifyCookie = async (cookies: string): Promise<string | undefined> => {
    const [, userId, signature] = SIGNED_COOKIE.exec(readCookie(cookies)) ?? []
    if (userId === undefined || signature === undefined) return undefined
    const actual = Buffer.from(signature, 'base64url')
    return timingSafeEqual(actual, await sign('guest', userId)) ? userId : undefined
  }
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
  const readmit: Guests['readmit'] = async ({ cookies, address }) => {
    const userId = cookies === undefined ? undefined : await verifyCookie(cookies)
    if (userId === undefined || !(await recordVisit(userId))) return undefined
    rememberAddress(userId, await hashAddress(address))
    return { userId }
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
      const value = `${userId}.${(await sign('guest', userId)).toString('base64url')}`
      return { userId, cookie: setCookie(value, COOKIE_LIFETIME_S, secure) }
    },
    findByCookie: verifyCookie,
    clearingCookie: (secure) => setCookie('', 0, secure),
    addressOf: (userId) => addresses.get(userId) ?? '',
  }
}

function setCookie(value: string, seconds: number, secure: boolean): string {
  const rules = `Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${COOKIE}=${value}; ${rules}`
}

/** The first cookie of that name: browsers send the one with the nearest path first. */
function readCookie(cookies: string): string {
  const found = cookies.split(';').find((each) => each.trim().startsWith(`${COOKIE}=`))
  return found?.trim().slice(COOKIE.length + 1) ?? ''
}
