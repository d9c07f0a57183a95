import { lookup as resolve, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

import ipaddr from 'ipaddr.js'

import { ServiceError } from '../errors.ts'

/** All of IPv6 that belongs to the internet so far. RFC 4291, 2.4 */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Services of cloud platforms at addresses that count as public. They answer only the platform's own machines, and may
 * give their keys. Azure: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16. IBM
 * Cloud: https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc. Those of others are in ranges that are
 * not public: 169.254.0.0/16, 100.64.0.0/10, 192.0.0.0/24 and fc00::/7.
 */
const PLATFORM_NETWORKS = ['168.63.129.16/32', '161.26.0.0/16', '166.8.0.0/14'].map((network) =>
  ipaddr.IPv4.parseCIDR(network),
)

/**
 * Whether an address is on the public internet: not private, loopback, link-local, shared or reserved, not one of a
 * cloud platform's own services, and not a wrapper of such an address.
 */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text) || isCompatible(text)) return false
  // A mapped IPv4 address counts as that IPv4 address; 6to4, Teredo and NAT64 are ranges of their own.
  const address = ipaddr.process(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4
    ? !PLATFORM_NETWORKS.some((network) => address.match(network))
    : address.match(GLOBAL_IPV6)
}

/**
 * Whether an IPv6 address holds an IPv4 one in the deprecated way, as `::10.0.0.1`: some systems route it there, and
 * ipaddr.js reads it as a mapped address. RFC 4291, 2.5.5.1
 */
function isCompatible(text: string): boolean {
  return /^(0{0,4}:)+:?[\d.]+$/.test(text) && text.includes('.')
}

/** The error for a private address. It does not name the address, because that would reveal the network. */
export function privateAddressError(host: string): ServiceError {
  return new ServiceError(
    'forbidden',
    `${host} is not a public address. The server's owner can allow it by its name under privateHosts.`,
  )
}

/** The name or address in a URL's host, without the brackets of IPv6. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

/** A DNS lookup that returns only public addresses, so the connection uses a checked address. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, '', 0)
    const addresses = found.filter(({ address }) => isPublic(address))
    const [first] = addresses
    if (!first) return callback(privateAddressError(hostname), '', 0)
    if (options.all) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}

/** Resolves all addresses of a name. @throws the error of the resolver */
export function addressesOf(hostname: string): Promise<readonly LookupAddress[]> {
  return new Promise((done, fail) => {
    resolve(hostname, { all: true }, (error, found) => (error ? fail(error) : done(found)))
  })
}
