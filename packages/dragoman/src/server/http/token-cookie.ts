/** What a cookie depends on. */
type CookieRequest = { readonly url: string; readonly header: (name: string) => string | undefined }

const NAME = 'dragoman_token'
const LIFETIME_S = 400 * 86_400

/** The `Set-Cookie` that keeps a token in a browser, or without a token the one that removes it. */
export function tokenCookie(request: CookieRequest, token: string | undefined, secure: boolean): string {
  const value = token === undefined ? '' : encodeURIComponent(token)
  const maxAge = token === undefined ? 0 : LIFETIME_S
  const rules = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  return `${cookieName(request)}=${value}; ${rules}`
}

/**
 * The token in the cookie of a request. Pages of another origin cannot use it: other ports and other names of a domain
 * count as the same site, so a browser sends the cookie with their requests too.
 */
export function readTokenCookie(request: CookieRequest): string | undefined {
  const origin = request.header('origin')
  if (origin !== undefined && origin.replace(/^https?:\/\//, '') !== hostOf(request)) return undefined
  const cookies = (request.header('cookie') ?? '').split(';').map((each) => each.trim())
  const prefix = `${cookieName(request)}=`
  const value = cookies.find((each) => each.startsWith(prefix))?.slice(prefix.length)
  try {
    return value === undefined || value === '' ? undefined : decodeURIComponent(value)
  } catch {
    return undefined
  }
}

/** Cookies do not tell ports apart, and there may be a server at each. */
function cookieName(request: CookieRequest): string {
  const [port] = /\d+$/.exec(/:\d+$/.exec(hostOf(request))?.[0] ?? '') ?? []
  return port === undefined ? NAME : `${NAME}_${port}`
}

function hostOf({ url, header }: CookieRequest): string {
  return header('host') ?? new URL(url).host
}
