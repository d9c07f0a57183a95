import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { nanoid } from 'nanoid'
import type { RateLimiterRes } from 'rate-limiter-flexible'

import { ServiceError } from '../../errors.ts'
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
  /** The guest of a valid cookie, even if that guest was removed. */
  findByCookie(cookies: string): Promise<string | undefined>
  /** The `Set-Cookie` that clears the guest's cookie. */
  clearingCookie(secure: boolean): string
  /** The keyed hash of a guest's latest address. '' if it is no longer remembered. */
  addressOf(userId: string): string
}

const COOKIE = 'dragoman_guest'
const COOKIE_LIFETIME_S = 31_536_000
const MAX_NEW_GUESTS_PER_HOUR = 20
/** Addresses of the latest guests are remembered. */
const MAX_ADDRESSES = 10_000
const KEY_BYTES = 32
/** The id and its signature. */
const SIGNED_COOKIE = /^(guest_[\w-]{12})\.([\w-]{43})$/

/**
 * A signed cookie identifies its guest. `recordVisit` records a visit and returns whether the guest exists. `home`
 * holds the key, which is created at its first use.
 */
export function createGuests(home: string, recordVisit: (userId: string) => Promise<boolean>): Guests {
  let key: Promise<Buffer> | undefined
  const sign = async (kind: 'guest' | 'address', text: string): Promise<Buffer> => {
    // Retried later: the disk may be full, or the owner may remove a damaged file.
    key ??= readKey(home).catch((error: unknown) => {
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
  const limitNewGuests = createNewGuestLimit()
  const addresses = new Map<string, string>()
  const rememberAddress = (userId: string, address: string): void => {
    addresses.delete(userId)
    addresses.set(userId, address)
    for (const oldest of addresses.keys()) {
      if (addresses.size <= MAX_ADDRESSES) break
      addresses.delete(oldest)
    }
  }
  return {
    async admit({ cookies, address, secure }) {
      const addressHash = (await sign('address', address)).toString('base64url')
      const knownId = cookies === undefined ? undefined : await verifyCookie(cookies)
      const returningId = knownId !== undefined && (await recordVisit(knownId)) ? knownId : undefined
      if (returningId !== undefined) {
        rememberAddress(returningId, addressHash)
        return { userId: returningId }
      }
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

function createNewGuestLimit(): (address: string) => Promise<void> {
  /** Loaded at the first new guest. */
  const load = async () => {
    const { RateLimiterMemory } = await import('rate-limiter-flexible')
    return new RateLimiterMemory({ points: MAX_NEW_GUESTS_PER_HOUR, duration: 3600 })
  }
  let limiter: ReturnType<typeof load> | undefined
  return async (address) => {
    limiter ??= load()
    await (await limiter).consume(address).catch(({ msBeforeNext }: RateLimiterRes) => {
      throw new ServiceError(
        'rate-limited',
        'Too many new guests have come from this address: keep the cookie, come later, or bring a token.',
        { retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1000)) },
      )
    })
  }
}

/** If two processes create the key at once, the first one's counts. @throws ServiceError `unavailable` */
async function readKey(home: string): Promise<Buffer> {
  const file = join(home, 'guest-key')
  const key = await createOrReadKeyFile(file).catch((cause: unknown) => {
    throw new ServiceError('unavailable', 'Guests cannot be let in right now.', { cause })
  })
  if (key.length === KEY_BYTES) return key
  throw new ServiceError('unavailable', 'Guests cannot be let in right now.', {
    cause: new Error(`${file} is damaged. Remove it: all guests will be new ones.`),
  })
}

async function createOrReadKeyFile(file: string): Promise<Buffer> {
  const temporaryFile = `${file}.${nanoid(6)}`
  await mkdir(join(file, '..'), { recursive: true, mode: 0o700 })
  await writeFile(temporaryFile, randomBytes(KEY_BYTES), { mode: 0o600, flag: 'wx' })
  try {
    await link(temporaryFile, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await rm(temporaryFile, { force: true })
  }
  return readFile(file)
}
