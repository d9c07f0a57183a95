import { describe, expect, it } from 'vitest'

import { isEncrypted, networkOf } from './peer.ts'

function line(
  peer: string | undefined,
  headers: Readonly<Record<string, string>> = {},
  url = 'http://chat.example/',
) {
  return { url, peer, header: (name: string) => headers[name] }
}

describe('the network of whoever asks', () => {
  it.each([
    ['203.0.113.7', undefined, '203.0.113.7'],
    ['::ffff:203.0.113.7', undefined, '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', undefined, '2001:db8:1:2::/64'],
    ['2001:db8::1', undefined, '2001:db8:0:0::/64'],
    ['fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
    [undefined, undefined, 'unknown'],
    ['nonsense', undefined, 'unknown'],
    // Only a proxy on this machine is believed, and of it only its own word, the last one.
    ['203.0.113.7', '198.51.100.1', '203.0.113.7'],
    ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::1', '10.0.0.1, 198.51.100.1', '198.51.100.1'],
    ['::ffff:127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['127.0.0.1', '[2001:db8:1:2::9]:4711', '2001:db8:1:2::/64'],
    ['127.0.0.1', '198.51.100.1, <script>', 'unknown'],
    ['127.0.0.1', '', '127.0.0.1'],
  ])('%s for %j is %s', (peer, forwarded, network) => {
    expect(networkOf(line(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }))).toBe(
      network,
    )
  })
})

describe('a line to whoever asks', () => {
  it.each([
    ['127.0.0.1', { 'x-forwarded-proto': 'https' }, 'http://chat.example/', true],
    ['127.0.0.1', { 'x-forwarded-proto': 'https, http' }, 'http://chat.example/', false],
    ['203.0.113.7', { 'x-forwarded-proto': 'https' }, 'http://chat.example/', false],
    ['203.0.113.7', {}, 'https://chat.example/', true],
    ['203.0.113.7', {}, 'http://chat.example/', false],
  ])('from %s with %j at %s is encrypted: %s', (peer, headers, url, expected) => {
    expect(isEncrypted(line(peer, headers, url))).toBe(expected)
  })
})
