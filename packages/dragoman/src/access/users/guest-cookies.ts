import { createHmac, timingSafeEqual } from 'node:crypto'

import { HOST_PREFIX, cookieValues, setCookie } from '../../cookies.ts'
import { ServiceError } from '../../errors.ts'
import type { SealKeys } from '../../sealing/index.ts'

const COOKIE = 'dragoman_guest'
/**
 * The cookies of a guest, and what is signed with the id. A cookie of an encrypted connection is signed in another way,
 * so that another name of the domain cannot set it as one that came before the connection was encrypted.
 */
const KINDS = [
  { name: HOST_PREFIX + COOKIE, signs: 'host-guest', isBound: true },
  { name: COOKIE, signs: 'guest', isBound: false },
] as const
type Kind = (typeof KINDS)[number]
const LIFETIME_S = 31_536_000
/** The id and its signature. */
const SIGNED_COOKIE = /^(guest_[\w-]{12})\.([\w-]{43})$/

export interface GuestCookies {
  /** A keyed hash. */
  sign(kind: Kind['signs'] | 'address', text: string): Promise<Buffer>
  /** The guest of a valid cookie. `isBound`: no other name of the domain can have set it. */
  findCookie(cookies: string): Promise<{ readonly userId: string; readonly isBound: boolean } | undefined>
  createCookie(userId: string, secure: boolean): Promise<string>
}

/** Signs with the first key, and reads what any of them has signed. */
export function createGuestCookies(readKeys: () => Promise<SealKeys>): GuestCookies {
  let keys: Promise<SealKeys> | undefined
  const read = (): Promise<SealKeys> =>
    // Retried later: the disk may be full, or the owner may remove a damaged file.
    (keys ??= readKeys().catch((error: unknown) => {
      keys = undefined
      throw error
    }))
  const sign: GuestCookies['sign'] = async (kind, text) => signWith((await read())[0], kind, text)
  const findCookie: GuestCookies['findCookie'] = async (cookies) => {
    for (const { name, signs, isBound } of KINDS) {
      const [userId, signature] = readGuestCookie(cookies, name)
      if (userId === undefined || signature === undefined) continue
      const bytes = Buffer.from(signature, 'base64url')
      if ((await read()).some((key) => timingSafeEqual(bytes, signWith(key, signs, userId))))
        return { userId, isBound }
    }
    return undefined
  }
  const createCookie = async (userId: string, secure: boolean): Promise<string> => {
    const { name, signs } = KINDS[secure ? 0 : 1]
    const value = `${userId}.${(await sign(signs, userId)).toString('base64url')}`
    return setCookie(name, value, { seconds: LIFETIME_S, sameSite: 'Lax', secure })
  }
  return { sign, findCookie, createCookie }
}

function signWith(key: Buffer, kind: string, text: string): Buffer {
  return createHmac('sha256', key).update(`${kind}:${text}`).digest()
}

/** The `Set-Cookie`s that remove a guest's cookies, also one that came before the connection was encrypted. */
export function clearingCookies(secure: boolean): string[] {
  const kinds = KINDS.filter(({ isBound }) => secure || !isBound)
  return kinds.map(({ name }) => setCookie(name, undefined, { seconds: 0, sameSite: 'Lax', secure }))
}

/** The id and the signature in a cookie. @throws ServiceError `unauthorized` if the cookie is there twice */
function readGuestCookie(cookies: string, name: string): string[] {
  const [value = '', other] = cookieValues(cookies, name)
  if (other === undefined) return SIGNED_COOKIE.exec(value)?.slice(1) ?? []
  // One of them may be another page's. A new guest would not get rid of it.
  throw new ServiceError('unauthorized', `There are two cookies ${name}. Delete the cookies of this site.`, {
    translations: { zh: `有两个 ${name} cookie。请删除本站点的 cookie。` },
  })
}
