import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'

import { ServiceError } from '../../errors.ts'
import { isGuest } from '../../events/index.ts'
import { readTokenCookie } from './token-cookie.ts'
import { forwardedValues, splitHeaderList, normalizeAddress, type TrustedProxies } from './client-address.ts'

/** A user, and the token that identified the user, if any. */
export type Caller = {
  readonly userId: string
  readonly token?: { readonly id: string; readonly name: string }
  /** Whether a cookie has identified the user. */
  readonly isByCookie?: true
  /** A `Set-Cookie` that identifies a new guest from now on. */
  readonly cookie?: string
}

/** What is known of a request before authentication, for any transport. */
export type RequestInfo = {
  readonly method: string
  /** The full URL, with the host of the request line. */
  readonly url: string
  readonly path: string
  /** The remote address of the connection, if there is one. */
  readonly peer: string | undefined
  readonly header: (name: string) => string | undefined
  readonly query: (name: string) => string | undefined
}

/**
 * Finds the user of a request by the application's own means; undefined if it has none. User ids are at most 200
 * characters, and the application's own.
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

/** @throws ServiceError `unauthorized`, `forbidden` */
export type ResolveCaller = (request: RequestInfo) => Promise<Caller>

export type CallerRules = {
  /** The user of requests without a token, if only this machine can call. Undefined: every request needs a token. */
  readonly local: string | undefined
  /** Host names, besides loopback, under which requests without a token are accepted. */
  readonly hosts: readonly string[]
  /** The proxies whose forwarding headers are trusted. */
  readonly proxies: TrustedProxies
  /** Finds the caller of a token. */
  readonly verify: (secret: string) => Promise<Caller | undefined>
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
  /** The `Set-Cookie` that ends the visit. */
  readonly clearingCookie: (secure: boolean) => string
}

const MAX_USER_ID_LENGTH = 200
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']
const LOOPBACK_ADDRESS = /^(?:127(?:\.\d{1,3}){3}|::1)$/
/**
 * An EventSource cannot send headers, so it sends its token in the URL. URLs are logged, so no other request may do
 * so.
 */
const EVENT_STREAM_PATH = /\/(?:events|stream)$/

/**
 * Resolves the caller of a request. A page may point its own domain at this server, so a request without a token must
 * use a known host name.
 */
export function callerResolver({
  local,
  hosts,
  proxies,
  verify,
  authenticate,
  guests,
}: CallerRules): ResolveCaller {
  const checkHost = createHostCheck(hosts)
  /** An old token in a cookie is no token: the page then signs in again. */
  const findSignedIn = async (request: RequestInfo): Promise<Caller | undefined> => {
    const token = readTokenCookie(request)
    const caller = token === undefined ? undefined : await verify(token)
    return caller && { ...caller, isByCookie: true }
  }
  return async (request) => {
    const user = await authenticate?.(request)
    if (user) return { userId: checkUserId(user.userId) }
    const secret = readToken(request)
    if (secret !== undefined) {
      const caller = await verify(secret)
      if (!caller) throw unauthorized('This token is not known here, or it was revoked.')
      return caller
    }
    const caller = await findSignedIn(request)
    if (caller) return caller
    if (local === undefined) {
      const access = guests?.accessTo(request.path)
      const guest =
        access && (await guests?.[access === 'open' ? 'admit' : 'readmit'](guestRequest(request, proxies)))
      if (guest) return guest
      throw unauthorized('A token is needed: send it as "Authorization: Bearer TOKEN".')
    }
    checkHost(request)
    return { userId: local }
  }
}

/** What identifies a guest, and limits new ones. */
export function guestRequest(request: RequestInfo, proxies: TrustedProxies): GuestRequest {
  return {
    cookies: request.header('cookie'),
    address: proxies.networkOf(request),
    secure: proxies.isEncrypted(request),
  }
}

/** @throws TypeError for what cannot be the id of a user of the application */
function checkUserId(userId: unknown): string {
  if (typeof userId === 'string' && userId !== '' && userId.length <= MAX_USER_ID_LENGTH && !isGuest(userId))
    return userId
  throw new TypeError(
    `auth must return the id of a user: a string of at most ${MAX_USER_ID_LENGTH} characters.`,
  )
}

/**
 * Refuses a request without a token that uses an unknown host name or was forwarded for another machine.
 * @throws ServiceError `forbidden`
 */
export function createHostCheck(hosts: readonly string[]): (request: RequestInfo) => void {
  const names = new Set([...LOOPBACK_HOSTS, ...hosts.map((host) => host.toLowerCase())])
  return (request) => {
    if (!hostNames(request).every((name) => names.has(name))) {
      throw new ServiceError(
        'forbidden',
        'This server does not answer under that host name. Name it in hosts of config.yaml, or by --allow-host.',
      )
    }
    if (isForwarded(request, names)) {
      throw new ServiceError(
        'forbidden',
        'This request comes from another machine, by a proxy: it needs a token. Start the server with --require-token.',
      )
    }
  }
}

/** Whether a request has a token in its headers, valid or not. */
export function hasToken({ header }: Pick<RequestInfo, 'header'>): boolean {
  return /^bearer(?: |$)/i.test(header('authorization') ?? '') || header('x-eve-token') !== undefined
}

export function requestInfo({ req, env }: Context): RequestInfo {
  const { incoming } = (env ?? {}) as Partial<HttpBindings>
  return {
    method: req.raw.method,
    url: req.url,
    path: req.path,
    peer: incoming?.socket.remoteAddress,
    header: (name) => req.header(name),
    query: (name) => req.query(name),
  }
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
  const bearer = /^bearer(?: +(.*))?$/i.exec(header('authorization') ?? '')
  return bearer ? (bearer[1] ?? '') : (header('x-eve-token') ?? queryToken)
}

/** The host names in the header and in the request line, which may differ. */
function hostNames({ url, header }: RequestInfo): string[] {
  const { host } = new URL(url)
  return [host, header('host') ?? host].map(withoutPort)
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '').toLowerCase()
}

/** A proxy on this machine names its client, or only itself. That client is not the user of this machine. */
function isForwarded({ header }: RequestInfo, names: ReadonlySet<string>): boolean {
  const clients = ['x-forwarded-for', 'x-real-ip', 'cf-connecting-ip'].flatMap((name) =>
    splitHeaderList(header(name)),
  )
  const hosts = [...splitHeaderList(header('x-forwarded-host')), ...forwardedValues(header, 'host')]
  return (
    splitHeaderList(header('via')).length > 0 ||
    [...clients, ...forwardedValues(header, 'for')].some(
      (each) => !LOOPBACK_ADDRESS.test(normalizeAddress(each)),
    ) ||
    hosts.some((each) => !names.has(withoutPort(each)))
  )
}

function unauthorized(sentence: string): ServiceError {
  return new ServiceError('unauthorized', sentence)
}
