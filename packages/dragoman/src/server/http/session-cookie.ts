import { HOST_PREFIX, cookieValues, setCookie } from '../../cookies.ts'

/** What a cookie depends on. `isEncrypted`: whether the browser's connection is. */
export type CookieRequest = {
  readonly url: string
  readonly header: (name: string) => string | undefined
  readonly isEncrypted: boolean
}

const NAME = 'dragoman_session'
/** The cookie of earlier versions held a token. It counts no more. */
const TOKEN_NAME = 'dragoman_token'
const LIFETIME_S = 30 * 86_400

/** The `Set-Cookie` that keeps a session in a browser, or without a secret the one that removes it. */
export function sessionCookie(request: CookieRequest, secret: string | undefined): string {
  const { isEncrypted: secure } = request
  const name = `${secure ? HOST_PREFIX : ''}${withPort(NAME, request)}`
  return setCookie(name, secret, { seconds: LIFETIME_S, sameSite: 'Strict', secure })
}

/** The `Set-Cookie` that removes the cookie of earlier versions from a browser that still has it. */
export function removedTokenCookie(request: CookieRequest): string | undefined {
  const name = withPort(TOKEN_NAME, request)
  if (cookieValues(request.header('cookie'), name).length === 0) return undefined
  return setCookie(name, undefined, { seconds: 0, sameSite: 'Strict', secure: request.isEncrypted })
}

/**
 * The secret of a session in the cookie of a request. On an encrypted connection only a cookie with the prefix counts:
 * other names of the domain cannot set that one. Two cookies of one name are none, for one of them may be a stranger's.
 */
export function readSessionCookie(request: CookieRequest): string | undefined {
  const name = withPort(NAME, request)
  const names = [HOST_PREFIX + name, ...(request.isEncrypted ? [] : [name])]
  const values = names.map((each) => cookieValues(request.header('cookie'), each))
  const [value, other] = values.find(({ length }) => length > 0) ?? []
  return other === undefined ? value : undefined
}

/**
 * Whether a page of another origin sent the request. Other ports and other names of a domain count as the same site, so
 * a browser sends the cookie with their requests too.
 */
export function isFromOtherPage(request: CookieRequest): boolean {
  const origin = request.header('origin')
  return origin !== undefined && !isOwnOrigin(origin, request)
}

/**
 * Whether the browser says that a page of this server sent the request. Only such a request may act by its cookie. A
 * link is no request of the page: its address may be what a model or a stranger has written.
 */
export function isFromOwnPage(request: CookieRequest): boolean {
  const origin = request.header('origin')
  if (origin !== undefined) return isOwnOrigin(origin, request)
  return request.header('sec-fetch-site') === 'same-origin' && request.header('sec-fetch-mode') !== 'navigate'
}

function isOwnOrigin(origin: string, request: CookieRequest): boolean {
  const host = hostOf(request)
  return origin === `https://${host}` || (!request.isEncrypted && origin === `http://${host}`)
}

/** Cookies do not tell ports apart, and there may be a server at each. */
function withPort(name: string, request: CookieRequest): string {
  const [, port] = /:(\d+)$/.exec(hostOf(request)) ?? []
  return port === undefined ? name : `${name}_${port}`
}

function hostOf({ url, header }: CookieRequest): string {
  return header('host') ?? new URL(url).host
}
