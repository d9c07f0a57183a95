import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { nanoid } from 'nanoid'
import type { RateLimiterRes } from 'rate-limiter-flexible'

import { ServiceError } from '../../errors.ts'
import { GUEST_PREFIX } from '../../events/index.ts'

/** What is known of one who has no token. */
export type GuestRequest = {
  /** The header in which a browser sends what it was given. */
  readonly cookies: string | undefined
  /** Of an IPv6 address its network is enough. */
  readonly address: string
  /** Whether the line to them is encrypted. */
  readonly secure: boolean
}

/** Those who have no account, and are known again by a cookie of ours. */
export interface Guests {
  /** Who it is; with a cookie for one who is new. @throws ServiceError `rate-limited` where too many new ones come from one address */
  admit(stranger: GuestRequest): Promise<{ userId: string; cookie?: string }>
  /** Whose the cookie is, also where there is no such guest any more: whoever has it has been that guest. */
  findByCookie(cookies: string): Promise<string | undefined>
  /** The `Set-Cookie` by which a browser forgets who it was. */
  clearingCookie(secure: boolean): string
  /** From where a guest has come last, as a keyed hash: '' where it is not known any more. */
  addressOf(userId: string): string
}

const COOKIE = 'dragoman_guest'
const COOKIE_LIFETIME_S = 31_536_000
/** New guests of one address an hour. */
const MAX_NEW_GUESTS_PER_HOUR = 20
/** Guests whose address is remembered: those who have come last. */
const MAX_ADDRESSES = 10_000
const KEY_BYTES = 32
/** The id, and under which key we gave it. */
const SIGNED_COOKIE = /^(guest_[\w-]{12})\.([\w-]{43})$/

/**
 * Whoever brings what we have signed is who it says. `comes`: notes that a guest is here, and tells whether there is such a guest still.
 * `home`: where the key stands, which is made at its first use.
 */
export function createGuests(home: string, recordVisit: (userId: string) => Promise<boolean>): Guests {
  let key: Promise<Buffer> | undefined
  const sign = async (kind: 'guest' | 'address', text: string): Promise<Buffer> => {
    // Where it cannot be read now it may be later: a full disk, or a damaged file that its owner removes.
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
    const given = Buffer.from(signature, 'base64url')
    return timingSafeEqual(given, await sign('guest', userId)) ? userId : undefined
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

/** The first of that name: a browser sends the one of the nearest path first. */
function readCookie(cookies: string): string {
  const found = cookies.split(';').find((each) => each.trim().startsWith(`${COOKIE}=`))
  return found?.trim().slice(COOKIE.length + 1) ?? ''
}

function createNewGuestLimit(): (address: string) => Promise<void> {
  /** Loaded when somebody is counted. */
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

/** Two processes may make it at once: the first one's counts. @throws ServiceError `unavailable` */
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
