import { createHash } from 'node:crypto'

import { ServiceError } from 'dragoman/errors'
import { canonicalPostingAddress } from './canonical-posting-address.ts'

/** Parameters that say where a visitor came from, not which page it is. */
const TRACKING = new Set(
  'gclid fbclid msclkid ref source trk trkinfo trackingid lipi gh_src lever-source lever-origin mc_cid mc_eid'.split(
    ' ',
  ),
)

/** Reads an address of the web. @throws ServiceError `invalid-request` */
export function webUrl(field: string, text: string): URL {
  const url = URL.parse(text.trim())
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new ServiceError('invalid-request', `${field} must be an http or https address`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ServiceError('invalid-request', `${field} must not hold a user name or a password`)
  }
  return url
}

/** The URL of a posting without the parts that differ between visits. It is for comparing, not for opening. */
export function canonicalUrl(url: URL): string {
  const address = canonicalPostingAddress(url)
  if (address !== undefined) return address
  const query = [...url.searchParams]
    .map(([name, value]) => [name.toLowerCase(), value] as const)
    .filter(([name]) => !name.startsWith('utm_') && !TRACKING.has(name))
    .toSorted(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  const page = (url.host + url.pathname).toLowerCase().replace(/(?<!\/)\/+$/, '')
  return page + (query && `?${query}`) + route(url.hash)
}

/** The same for all URLs of a posting. */
export function urlHash(url: URL): string {
  return createHash('sha256').update(canonicalUrl(url)).digest('hex').slice(0, 16)
}

/** Some sites have the page's path after the `#`. */
function route(hash: string): string {
  return /^#!?\//.test(hash) ? hash.replace(/(?<![?/])[?/]+$/, '') : ''
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
