/** The values of a cookie, which a browser may send twice: for another path, or set by another name of the domain. */
export function cookieValues(cookies: string | undefined, name: string): string[] {
  return (cookies ?? '').split(';').flatMap((each) => {
    const [key = '', ...value] = each.trim().split('=')
    return key === name ? [value.join('=')] : []
  })
}

/** A `Set-Cookie` for the whole server that no script can read. Without a value it removes the cookie. */
export function setCookie(
  name: string,
  value: string | undefined,
  rules: { readonly seconds: number; readonly sameSite: 'Strict' | 'Lax'; readonly secure: boolean },
): string {
  const { seconds, sameSite, secure } = rules
  const age = value === undefined ? 0 : seconds
  const scope = `Path=/; Max-Age=${age}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
  return `${name}=${value ?? ''}; ${scope}`
}

/** A browser takes such a cookie from an encrypted page of exactly this host, and from no other one of its domain. */
export const HOST_PREFIX = '__Host-'
