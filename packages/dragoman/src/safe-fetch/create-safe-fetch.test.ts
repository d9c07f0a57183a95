import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import ipaddr from 'ipaddr.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { isPublic } from './addresses.ts'
import { createSafeFetch } from './index.ts'

describe('isPublic', () => {
  it.each([
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.16.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['::ffff:127.0.0.1', false],
    ['::127.0.0.1', false],
    ['::a00:1', false],
    ['::8.8.8.8', false],
    ['::1:0:0', false],
    ['4000::1', false],
    ['::ffff:7f00:1', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['8.8.8.8', true],
    ['2606:4700:4700::1111', true],
    ['no address', false],
    ['1.2.3.4.5', false],
    ['', false],
  ])('returns for %s: %s', (address, is) => {
    expect(isPublic(address)).toBe(is)
  })

  // What machines of clouds ask for keys and settings: a page must not reach it, however its address is written.
  it.each([
    ['AWS, Google, DigitalOcean, Hetzner and others', '169.254.169.254'],
    ['AWS, for containers', '169.254.170.2'],
    ['Azure', '168.63.129.16'],
    ['Alibaba', '100.100.100.200'],
    ['Volcano Engine', '100.96.0.96'],
    ['Oracle', '192.0.0.192'],
    ['IBM Cloud', '161.26.0.10'],
    ['IBM Cloud, endpoints', '166.9.48.1'],
    ['IBM Cloud, endpoints', '166.11.255.255'],
    ['Scaleway', '169.254.42.42'],
    ['Tencent', '169.254.0.23'],
  ])('is false for a service of a platform in any form: %s', (_platform, address) => {
    const { octets } = ipaddr.IPv4.parse(address)
    const hex = octets.map((each) => each.toString(16).padStart(2, '0')).join('')
    const [high, low] = [hex.slice(0, 4), hex.slice(4)]
    const inverted = (Number.parseInt(hex, 16) ^ 0xffffffff) >>> 0
    const forms = [
      address,
      `${Number.parseInt(hex, 16)}`,
      `0x${hex}`,
      octets.map((each) => `0${each.toString(8)}`).join('.'),
      `::${address}`,
      `::${high}:${low}`,
      `::ffff:${address}`,
      `::ffff:${high}:${low}`,
      `::ffff:0:${address}`,
      `64:ff9b::${address}`,
      `64:ff9b::${high}:${low}`,
      `64:ff9b:1::${high}:${low}`,
      `2002:${high}:${low}::1`,
      `2001:0:${high}:${low}::1`,
      `2001:0:808:808:0:0:${(inverted >>> 16).toString(16)}:${(inverted & 0xffff).toString(16)}`,
      `fe80::5efe:${high}:${low}`,
    ]
    expect(forms.filter(isPublic)).toEqual([])
  })

  it.each([
    ['AWS', 'fd00:ec2::254'],
    ['Google', 'fd20:ce::254'],
    ['Linode', 'fd00:a9fe:a9fe::1'],
    ['Scaleway', 'fd00:42::42'],
    ['Azure', 'fe80::1234:5678:9abc'],
    ['Fly.io', 'fdaa::3'],
  ])('is false for a service of a platform on IPv6: %s', (_platform, address) => {
    expect(isPublic(address)).toBe(false)
  })

  it('is true next to the addresses of the platforms', () => {
    const near = [
      '168.63.129.15',
      '168.63.129.17',
      '161.25.255.255',
      '161.27.0.0',
      '166.7.255.255',
      '166.12.0.0',
    ]
    expect(near.filter((address) => !isPublic(address))).toEqual([])
  })
})

describe('createSafeFetch', () => {
  const pages: Record<string, { status?: number; headers?: Record<string, string>; body?: string | Buffer }> =
    {
      '/page': {
        headers: { 'content-type': 'Text/HTML; charset=utf-8' },
        body: '<h1>软件工程师</h1>',
      },
      '/gbk': {
        headers: { 'content-type': 'text/html' },
        body: Buffer.concat([Buffer.from('<meta charset="gbk"><p>'), Buffer.from([0xc8, 0xed, 0xbc, 0xfe])]),
      },
      '/moved': { status: 302, headers: { location: '/page' } },
      '/inward': { status: 302, headers: { location: 'http://localhost:8099/secret' } },
      '/file': { status: 302, headers: { location: 'file:///etc/passwd' } },
      '/round': { status: 302, headers: { location: '/round' } },
      '/large': { headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(50_000) },
      '/gone': { status: 404, body: 'gone' },
    }
  let visitor: string | undefined
  const server = createServer((request, response) => {
    visitor = request.headers['user-agent']
    const page = pages[request.url ?? '']
    // What is not there never answers.
    if (page) response.writeHead(page.status ?? 200, page.headers).end(page.body)
  })
  let base = ''
  let port = 0
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
    base = `http://127.0.0.1:${port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const { signal } = new AbortController()
  const world = () => createSafeFetch({ privateHosts: [`127.0.0.1:${port}`], version: '1' })

  it('returns text, type and address, and sends a user agent', async () => {
    const found = await world().get(new URL(`${base}/moved`), { userId: 'ada', signal })

    expect(found).toMatchObject({ status: 200, type: 'text/html', text: '<h1>软件工程师</h1>' })
    expect(found.url.href).toBe(`${base}/page`)
    expect(visitor).toBe("dragoman/1 (its user's own server)")
  })

  it('decodes a page by the charset in its head', async () => {
    expect((await world().get(new URL(`${base}/gbk`), { userId: 'ada', signal })).text).toContain('软件')
  })

  it('returns error responses too', async () => {
    expect(await world().get(new URL(`${base}/gone`), { userId: 'ada', signal })).toMatchObject({
      status: 404,
      text: 'gone',
    })
  })

  it.each([
    ['http://127.0.0.1:1/', '127.0.0.1 is not a public address.'],
    ['http://2130706433/', '127.0.0.1 is not a public address.'],
    ['http://[::1]/', '::1 is not a public address.'],
    ['http://[::ffff:127.0.0.1]/', 'is not a public address.'],
    ['http://169.254.169.254/latest/meta-data', '169.254.169.254 is not a public address.'],
    ['http://localhost:8099/', 'localhost is not a public address.'],
    ['file:///etc/passwd', 'Only http and https'],
    ['ftp://example.com/', 'Only http and https'],
    ['http://ada:secret@example.com/', 'Only http and https'],
  ])('does not reach %s', async (address, words) => {
    await expect(world().get(new URL(address), { userId: 'ada', signal })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(words),
    })
  })

  it.each([
    ['/inward', 'forbidden'],
    ['/file', 'forbidden'],
    ['/round', 'unavailable'],
  ])('follows no redirect at %s to a private address', async (path, code) => {
    await expect(world().get(new URL(base + path), { userId: 'ada', signal })).rejects.toMatchObject({ code })
  })

  it('refuses a large and a slow response', async () => {
    await expect(
      world().get(new URL(`${base}/large`), { userId: 'ada', signal, maxBytes: 10_000 }),
    ).rejects.toMatchObject({
      code: 'too-large',
    })
    await expect(
      world().get(new URL(`${base}/silent`), { userId: 'ada', signal, timeoutMs: 50 }),
    ).rejects.toMatchObject({
      code: 'timed-out',
    })
  })

  it("stops with its signal, for the signal's reason", async () => {
    const control = new AbortController()
    const request = world().get(new URL(`${base}/silent`), { userId: 'ada', signal: control.signal })
    control.abort(new Error('stopped'))

    await expect(request).rejects.toThrow('stopped')
  })

  it('offers a fetch that follows no redirects', async () => {
    const found = await world().fetch(`${base}/page`, { method: 'POST', body: '你好', signal })
    expect([found.status, await found.text()]).toEqual([200, '<h1>软件工程师</h1>'])

    const moved = await world().fetch(`${base}/moved`)
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/page'])
    await moved.body?.cancel()
  })

  it.each([
    `http://127.0.0.1:1/`,
    'http://localhost:8099/v1',
    'http://169.254.169.254/latest',
    'http://[::1]:8099/',
    'file:///etc/passwd',
    'http://ada:secret@example.com/',
  ])('does not connect to %s', async (address) => {
    await expect(world().fetch(address, { method: 'POST', body: 'a key' })).rejects.toMatchObject({
      code: 'forbidden',
    })
  })

  it('returns an address only if it may be reached', async () => {
    expect(await world().addressOf('127.0.0.1', port, signal)).toBe('127.0.0.1')
    await expect(world().addressOf('127.0.0.1', 993, signal)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(world().addressOf('localhost', 993, signal)).rejects.toMatchObject({ code: 'forbidden' })
  })
})
