import { lookup as resolve, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

import ipaddr from 'ipaddr.js'

import { ServiceError } from '../errors.ts'

/**
 * Whether an address is on the public internet: not private, loopback, link-local, shared or reserved, and not a
 * wrapper of such an address.
 */
export function isPublic(address: string): boolean {
  // A mapped IPv4 address counts as that IPv4 address; 6to4, Teredo and NAT64 are ranges of their own.
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast' && !isCompatible(address)
}

/**
 * Whether an IPv6 address holds an IPv4 one in the deprecated way, as `::10.0.0.1`: some systems route it there. RFC
 * 4291, 2.5.5.1
 */
function isCompatible(address: string): boolean {
  // ipaddr.js reads the form with dots as a mapped address.
  if (/^(0{0,4}:)+:?[\d.]+$/.test(address) && address.includes('.')) return true
  return ipaddr.IPv6.isValid(address) && ipaddr.IPv6.parse(address).match(COMPATIBLE)
}

const COMPATIBLE = ipaddr.IPv6.parseCIDR('::/96')

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
