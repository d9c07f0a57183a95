import { describe, expect, it } from 'vitest'

import { createTrustedProxies } from './client-address.ts'

const LOOPBACK = ['127.0.0.0/8', '::1']

function connectionFrom(
  peer: string | undefined,
  headers: Readonly<Record<string, string>> = {},
  url = 'http://chat.example/',
) {
  return { url, peer, header: (name: string) => headers[name] }
}

describe('networkOf behind a local proxy', () => {
  it.each([
    ['203.0.113.7', undefined, '203.0.113.7'],
    ['::ffff:203.0.113.7', undefined, '203.0.113.7'],
    ['::ffff:cb00:7107', undefined, '203.0.113.7'],
    ['::FFFF:CB00:7107', undefined, '203.0.113.7'],
    ['0:0:0:0:0:ffff:cb00:7107', undefined, '203.0.113.7'],
    ['0000:0000:0000:0000:0000:ffff:203.0.113.7', undefined, '203.0.113.7'],
    ['2001:db8:1:2:0:ffff:cb00:7107', undefined, '2001:db8:1:2::/64'],
    ['127.0.0.1', '[::ffff:cb00:7107]:80', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', undefined, '2001:db8:1:2::/64'],
    ['2001:db8::1', undefined, '2001:db8:0:0::/64'],
    ['fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
    [undefined, undefined, 'unknown'],
    ['nonsense', undefined, 'unknown'],
    // Only the last address from a proxy on this machine is trusted.
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::1', '10.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['::ffff:127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['127.0.0.1', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['127.0.0.1', '198.51.100.1, <script>', 'unknown'],
    ['127.0.0.1', '', '127.0.0.1'],
  ])('%s for %j is %s', (peer, forwarded, network) => {
    const { networkOf } = createTrustedProxies(LOOPBACK)
    expect(
      networkOf(connectionFrom(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded })),
    ).toBe(network)
  })
})

describe('networkOf behind trusted proxies', () => {
  const DOCKER = ['172.16.0.0/12', '2001:db8:7::/48']

  it.each([
    ['172.17.0.1', '198.51.100.1', undefined, '198.51.100.1'],
    ['::ffff:172.17.0.1', '198.51.100.1', undefined, '198.51.100.1'],
    ['2001:db8:7::1', '198.51.100.1', undefined, '198.51.100.1'],
    // An address from the client comes before the first proxy's.
    ['172.17.0.1', '1.1.1.1, 198.51.100.1, 172.18.0.9', undefined, '198.51.100.1'],
    ['172.17.0.1', '172.20.0.3, 172.18.0.9', undefined, '172.20.0.3'],
    ['127.0.0.1', '198.51.100.1', undefined, '127.0.0.1'],
    ['203.0.113.7', '198.51.100.1', 'for=198.51.100.1', '203.0.113.7'],
    ['172.17.0.1', undefined, 'for=192.0.2.1, For="198.51.100.1:80";proto=https', '198.51.100.1'],
    ['172.17.0.1', undefined, 'proto=https;for="[2001:db8:1:2::9]:4711"', '2001:db8:1:2::/64'],
    ['172.17.0.1', undefined, 'for=_hidden', 'unknown'],
    ['172.17.0.1', '198.51.100.1', 'for=198.51.100.1', '198.51.100.1'],
    // One of the two comes from the client, and nothing shows which.
    ['172.17.0.1', '198.51.100.1', 'for=192.0.2.1', '172.17.0.1'],
  ])('%s for %j and %j is %s', (peer, listed, standard, network) => {
    const headers = {
      ...(listed !== undefined && { 'x-forwarded-for': listed }),
      ...(standard !== undefined && { forwarded: standard }),
    }
    expect(createTrustedProxies(DOCKER).networkOf(connectionFrom(peer, headers))).toBe(network)
  })
})

describe('isEncrypted', () => {
  it.each([
    ['127.0.0.1', { 'x-forwarded-proto': 'https' }, 'http://chat.example/', true],
    ['127.0.0.1', { 'x-forwarded-proto': 'https, http' }, 'http://chat.example/', false],
    ['203.0.113.7', { 'x-forwarded-proto': 'https' }, 'http://chat.example/', false],
    ['127.0.0.1', { forwarded: 'for=203.0.113.7;proto=https' }, 'http://chat.example/', true],
    ['203.0.113.7', { forwarded: 'proto=https' }, 'http://chat.example/', false],
    ['203.0.113.7', {}, 'https://chat.example/', true],
    ['203.0.113.7', {}, 'http://chat.example/', false],
  ])('from %s with %j at %s: %s', (peer, headers, url, expected) => {
    expect(createTrustedProxies(LOOPBACK).isEncrypted(connectionFrom(peer, headers, url))).toBe(expected)
  })
})
