import { HOOK_TIMEOUT_MS, withTimeout } from '../../async/index.ts'
import { ServiceError } from '../../errors.ts'
import { LOCAL_USER, isGuest } from '../../events/index.ts'
import {
  isFromOtherPage,
  isFromOwnPage,
  readSessionCookie,
  sessionCookie,
  type CookieRequest,
} from './session-cookie.ts'
import type { TrustedProxies } from './client-address.ts'
import { createHostCheck } from './check-host.ts'
import type { RequestInfo } from './request-info.ts'

/** A user, and the token or the session of a token that identified the user, if any. */
export type Caller = {
  readonly userId: string
  readonly token?: { readonly id: string; readonly name: string }
  readonly session?: { readonly id: string }
  /** Whether the caller owns the server. The way of sign-in decides that, never the name of the user. */
  readonly isOwner?: true
  /** Whether a cookie has identified the user. */
  readonly isByCookie?: true
  /** Whether the request may not act: only a cookie identifies it, and no page of this server is known to send it. */
  readonly isReadOnly?: boolean
  /** A `Set-Cookie` that identifies a new guest from now on, or renews the cookie of a session. */
  readonly cookie?: string
}

/**
 * Finds the user of a request by the application's own means; undefined if it has none. User ids are the
 * application's own: 1 to 200 characters without control characters. Ids that the server gives itself, `local` and
 * `guest_…`, are refused with 403, so that no name gives a user the rights or the data of the owner or of a guest.
 *
 * @example
 * const auth: Authenticate = async ({ header }) => {
 *   const session = await readSession(header('cookie'))
 *   return session && { userId: session.userId }
 * }
 */
export type Authenticate = (
  request: Pick<RequestInfo, 'method' | 'url' | 'path' | 'header'>,
) => Promise<{ readonly userId: string } | undefined> | { readonly userId: string } | undefined

/** The application may ask a service that hangs. */
function limitTime(authenticate: Authenticate, request: RequestInfo): ReturnType<Authenticate> {
  return withTimeout(new AbortController().signal, HOOK_TIMEOUT_MS, async () => authenticate(request))
}

/** @throws ServiceError `unauthorized`, `forbidden` */
export type ResolveCaller = (request: RequestInfo) => Promise<Caller>

export type CallerRules = {
  /**
   * The user of requests without a token, who owns the server, if only this machine can call. Undefined: every request
   * needs a token.
   */
  readonly local: string | undefined
  /** Host names, besides loopback, under which requests without a token are accepted. */
  readonly hosts: readonly string[]
  /** The proxies whose forwarding headers are trusted. */
  readonly proxies: TrustedProxies
  /** Finds the caller of a token. */
  readonly verify: (secret: string) => Promise<Caller | undefined>
  /** Finds the caller of a session. `isStale`: its cookie should be renewed. */
  readonly verifySession: (
    secret: string,
  ) => Promise<{ readonly caller: Caller; readonly isStale: boolean } | undefined>
  /** Called before tokens and guests are checked. */
  readonly authenticate?: Authenticate | undefined
  /** If set, requests without a required token are admitted as guests. */
  readonly guests?: GuestAccess | undefined
}

type GuestRequest = {
  readonly cookies: string | undefined
  readonly address: string
  readonly secure: boolean
}

export type GuestAccess = {
  /**
   * What guests may use: a path that is `open` admits new guests too. One for those who are guests already does not
   * make a guest of a client that forgot its token.
   */
  readonly accessTo: (path: string) => 'open' | 'returning' | undefined
  readonly admit: (request: GuestRequest) => Promise<Caller>
  readonly readmit: (request: GuestRequest) => Promise<Caller | undefined>
  /** The `Set-Cookie`s that end the visit. */
  readonly clearingCookies: (secure: boolean) => readonly string[]
}

/** A token that this server has not made. */
const OWN_TOKEN_PATTERN = /^(?!dgm_)[\x21-\x7e]{16,}$/
const MAX_USER_ID_LENGTH = 200
/** Databases refuse or change control characters and half surrogate pairs: two users could become one. */
const USER_ID_PATTERN = new RegExp(`^[^\\p{Cc}\\p{Cs}]{1,${MAX_USER_ID_LENGTH}}$`, 'u')
/**
 * An EventSource cannot send headers, so it sends its token in the URL. URLs are logged, so no other request may do
 * so.
 */
const EVENT_STREAM_PATH = /\/(?:events|stream|sync)$/

/**
 * Resolves the caller of a request. A page may point its own domain at this server, so a request without a token must
 * use a known host name.
 */
export function callerResolver({
  local,
  hosts,
  proxies,
  verify,
  verifySession,
  authenticate,
  guests,
}: CallerRules): ResolveCaller {
  const checkHost = createHostCheck(hosts)
  /** A session that has ended is none: the page then signs in again. */
  const findSignedIn = async (request: RequestInfo): Promise<Caller | undefined> => {
    const line = cookieRequest(request, proxies)
    const secret = isFromOtherPage(line) ? undefined : readSessionCookie(line)
    const found = secret === undefined ? undefined : await verifySession(secret)
    if (!found) return undefined
    const isReadOnly = !isFromOwnPage(line)
    if (isReadOnly && acts(request)) throw actsByCookieError()
    return {
      ...found.caller,
      isByCookie: true,
      isReadOnly,
      ...(found.isStale && { cookie: sessionCookie(line, secret) }),
    }
  }
  return async (request) => {
    const user = authenticate && (await limitTime(authenticate, request))
    if (user) return { userId: checkUserId(user.userId) }
    const secret = readToken(request)
    if (secret !== undefined) {
      const caller = await verify(secret)
      if (!caller) throw unknownTokenError(secret)
      return caller
    }
    const caller = await findSignedIn(request)
    if (caller) return caller
    if (local === undefined) {
      const access = guests?.accessTo(request.path)
      const guest =
        access && (await guests?.[access === 'open' ? 'admit' : 'readmit'](guestRequest(request, proxies)))
      if (guest) return guest
      throw unauthorized(`A token is needed: send it as "Authorization: Bearer TOKEN". ${MAKES_ONE}`)
    }
    checkHost(request)
    return { userId: local, isOwner: true }
  }
}

/** What the cookies of a request depend on. */
export function cookieRequest({ url, header, peer }: RequestInfo, proxies: TrustedProxies): CookieRequest {
  return { url, header, isEncrypted: proxies.isEncrypted({ url, header, peer }) }
}

function acts({ method, opensSocket = false }: RequestInfo): boolean {
  return opensSocket || !['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/** For routes that act although their method reads. @throws ServiceError `forbidden` */
export function requireMayAct({ isReadOnly = false }: Caller): void {
  if (isReadOnly) throw actsByCookieError()
}

/** The error for a request that acts, and that a page of another origin could have made a browser send. */
function actsByCookieError(): ServiceError {
  return new ServiceError(
    'forbidden',
    'A cookie alone may only read. Send Sec-Fetch-Site: same-origin, an Origin of this server, or a token in a header.',
    {
      translations: {
        zh: '只凭 cookie 只能读取：请带上 Sec-Fetch-Site: same-origin、本服务器的 Origin，或者在请求头里带令牌。',
      },
    },
  )
}

/** What identifies a guest, and limits new ones. */
export function guestRequest(request: RequestInfo, proxies: TrustedProxies): GuestRequest {
  return {
    cookies: request.header('cookie'),
    address: proxies.networkOf(request),
    secure: proxies.isEncrypted(request),
  }
}

/** Whether a text can be the id of a user. */
export function isUserId(value: string): boolean {
  return USER_ID_PATTERN.test(value)
}

/** @throws ServiceError `forbidden` for what cannot be the id of a user of the application */
function checkUserId(userId: unknown): string {
  if (typeof userId !== 'string' || !isUserId(userId)) {
    throw new ServiceError(
      'forbidden',
      `auth must return the id of a user: 1 to ${MAX_USER_ID_LENGTH} characters, without control characters.`,
    )
  }
  if (userId !== LOCAL_USER && !isGuest(userId)) return userId
  throw new ServiceError(
    'forbidden',
    'The server itself gives the ids local and guest_…: auth must return another id for this user.',
  )
}

function readToken({ method, path, header, query }: RequestInfo): string | undefined {
  const queryToken = query('token')
  const readsEvents = method === 'GET' && EVENT_STREAM_PATH.test(path)
  if (queryToken !== undefined && !readsEvents) {
    throw unauthorized(
      'token: an address may carry it only to GET a stream of events. Send it as "Authorization: Bearer TOKEN".',
    )
  }
  // Another scheme may be for a proxy in front of the server.
  const bearer = /^bearer(?: +([^ ].*)?)?$/i.exec(header('authorization') ?? '')
  return bearer ? (bearer[1] ?? '') : (header('x-eve-token') ?? queryToken)
}

const MAKES_ONE = 'The owner of the server makes one with: dragoman token create --name NAME'

/** A client that brings a token of its own, such as a browser extension, shows its user what the owner must do. */
function unknownTokenError(secret: string): ServiceError {
  const sentence = 'This token is not known here, or it was revoked.'
  if (!OWN_TOKEN_PATTERN.test(secret))
    return unauthorized(
      `${sentence} The owner of the server makes one with: dragoman token create --name NAME`,
    )
  return unauthorized(
    `${sentence} The owner of the server lets this client in with: dragoman token create --name NAME --value TOKEN`,
  )
}

function unauthorized(sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence)
}
