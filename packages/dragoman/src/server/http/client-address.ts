import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

/** The remote end of a request, as the connection shows it. */
type ConnectionInfo = {
  readonly url: string
  /** The remote address, if there is a connection. */
  readonly peer: string | undefined
  readonly header: Header
}
type Header = (name: string) => string | undefined

/** Proxies in front of this server whose forwarding headers are trusted. */
export interface TrustedProxies {
  /** The client's network address. For IPv6, the /64 of its household. */
  networkOf(line: Pick<ConnectionInfo, 'peer' | 'header'>): string
  /** Whether the client's connection is encrypted, up to this server or a trusted proxy. */
  isEncrypted(line: ConnectionInfo): boolean
}

/**
 * Each proxy appends the address of its client. The last address that is not a trusted proxy is the client's; earlier
 * ones may be forged. `trusted` has addresses and CIDR networks.
 */
export function createTrustedProxies(trusted: readonly string[]): TrustedProxies {
  const networks = trusted.map((each) =>
    each.includes('/') ? each : `${each}/${isIP(each) === 6 ? 128 : 32}`,
  )
  const ranges = networks.map((each) => ipaddr.parseCIDR(each))
  const isTrusted = (text: string): boolean => {
    if (isIP(text) === 0) return false
    const address = ipaddr.process(text)
    return ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits))
  }
  return {
    networkOf({ peer, header }) {
      const end = normalizeAddress(peer ?? '')
      if (!isTrusted(end)) return toNetwork(end)
      const chain = forwardedClients(header)
      return toNetwork(chain.findLast((each) => !isTrusted(each)) ?? chain[0] ?? end)
    },
    isEncrypted({ url, peer, header }) {
      if (url.startsWith('https:')) return true
      const proto =
        splitHeaderList(header('x-forwarded-proto')).at(-1) ?? forwardedValues(header, 'proto').at(-1)
      return proto?.toLowerCase() === 'https' && isTrusted(normalizeAddress(peer ?? ''))
    },
  }
}

/**
 * The addresses in `X-Forwarded-For` or `Forwarded`. A proxy writes one of them and may pass on the other from the
 * client. If their last addresses differ, neither is trusted.
 */
function forwardedClients(header: Header): string[] {
  const listed = splitHeaderList(header('x-forwarded-for')).map(normalizeAddress)
  const standard = forwardedValues(header, 'for').map(normalizeAddress)
  if (listed.length === 0) return standard
  return standard.length === 0 || standard.at(-1) === listed.at(-1) ? listed : []
}

/** The values of one parameter of `Forwarded` (RFC 7239). */
export function forwardedValues(header: Header, name: 'for' | 'host' | 'proto'): string[] {
  const pattern = new RegExp(`(?:^|;)\\s*${name}\\s*=\\s*(?:"([^";]*)"|([^";]*))`, 'i')
  return splitHeaderList(header('forwarded')).flatMap((each) => {
    const found = pattern.exec(each)
    return (found?.[1] ?? found?.[2])?.trim() ?? []
  })
}

/** Splits a header that is a list. */
export function splitHeaderList(list = ''): string[] {
  return list
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}

/** An IPv6 address that may hold an IPv4 one, in any way to write it: `::ffff:192.0.2.1`, `::ffff:c000:201`. */
const MAPPED = /:ffff:/i

/** Removes the port and the zone. A mapped IPv4 address is that IPv4 address. */
export function normalizeAddress(address: string): string {
  const bare = address
    .replace(/^\[(.*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
    .replace(/%.*/s, '')
  // `process` turns an address that is not mapped into its short form.
  return isIP(bare) === 6 && MAPPED.test(bare) ? ipaddr.process(bare).toString() : bare
}

function toNetwork(address: string): string {
  const version = isIP(address)
  if (version === 0) return 'unknown'
  return version === 4 ? address : `${ipv6Prefix(address)}::/64`
}

/** The first four groups of an IPv6 address, without leading zeros. */
function ipv6Prefix(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::')
  const front = ipv6Groups(head)
  const back = ipv6Groups(tail ?? '')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length)
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** A trailing IPv4 address stands for two groups. */
function ipv6Groups(text: string): string[] {
  return text === '' ? [] : text.split(':').flatMap((group) => (group.includes('.') ? ['v4', 'v4'] : [group]))
}
