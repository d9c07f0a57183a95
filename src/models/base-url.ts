import { ServiceError } from '../errors.ts'

/** A path segment such as `v1`, `v4` or `v1beta`: the address says its version itself. */
const version = /\/v\d+[a-z]*\d*(?=\/|$)/

/**
 * Reads a provider's address, adding the `/v1` that people leave out (Anthropic's own convention has none, its SDK wants one).
 * @throws ServiceError `invalid-request`, naming the variable and never quoting its value, which may hold a password.
 */
export function readBaseUrl(text: string, variable: string): URL {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ServiceError('invalid-request', `${variable} is not an http or https address.`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ServiceError(
      'invalid-request',
      `${variable} must be a plain address, without a user name, password, query or fragment.`,
    )
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  if (!version.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1`
  return url
}
