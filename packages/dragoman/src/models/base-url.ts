import { ServiceError } from '../errors.ts'

/** A path segment such as `v1`, `v4` or `v1beta`: the address contains its version. */
const version = /\/v\d+(?:[a-z]+\d*)?(?=\/|$)/

/**
 * Reads a provider's address, and adds a missing version. Anthropic's own convention has none, but its SDK needs
 * one.
 * @throws ServiceError `invalid-request`, naming the setting. It never quotes the value, which may contain a
 * password.
 */
export function readBaseUrl(text: string, place: string, usualVersion: 'v1' | 'v1beta' = 'v1'): string {
  const url = URL.parse(text)
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ServiceError('invalid-request', `${place} is not an http or https address.`)
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new ServiceError(
      'invalid-request',
      `${place} must be a plain address, without a user name, password, query or fragment.`,
    )
  }
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '')
  if (!version.test(url.pathname)) url.pathname = `${url.pathname.replace(/\/$/, '')}/${usualVersion}`
  return url.href
}
