const NAME = 'dragoman_token'
const LIFETIME_S = 400 * 86_400

/** The `Set-Cookie` that keeps a token in a browser, or without a token the one that removes it. */
export function tokenCookie(token: string | undefined, secure: boolean): string {
  const value = token === undefined ? '' : encodeURIComponent(token)
  const maxAge = token === undefined ? 0 : LIFETIME_S
  return `${NAME}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

/** The token in a `cookie` header. */
export function readTokenCookie(cookies: string | undefined): string | undefined {
  const [, value] = new RegExp(`(?:^|;\\s*)${NAME}=([\\w.%-]+)`).exec(cookies ?? '') ?? []
  if (value === undefined) return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}
