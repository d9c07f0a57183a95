import { rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'

import type { AppEnv, Json } from '../../../../packages/dragoman/src/index.ts'
import { configured, useChat } from '../../../../test/support/configured.ts'
import { socketClient } from '../../../../test/support/socket-client.ts'
import type { ServerOptions } from '../../../../test/support/server.ts'
import { ask } from '../../../../test/support/wire.ts'
import { lifeGuests, lifeSurfaces } from '../../src/life-surfaces.ts'

const house = configured()
const GUEST =
  /^dragoman_guest=(guest_[\w-]{12})\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/

/** Tells who is asking, where the life agent tells of a profile, and where it tells of another's jobs. */
const routes = new Hono<AppEnv>().get('/profile', (c) => c.json({ user: c.get('userId') }))
const life: Partial<ServerOptions> = {
  agent: { id: 'life', maxSteps: 10 },
  capability: { routes: routes, surfaces: lifeSurfaces('life'), guests: lifeGuests },
}
const opened = async (config: Readonly<Record<string, Json>> = {}, more: Partial<ServerOptions> = life) => {
  const { server, model } = await house.open({ requireToken: true, guests: true, ...config }, more)
  const from = (address: string, cookie?: string) => ({
    'x-forwarded-for': address,
    ...(cookie !== undefined && { cookie }),
  })
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    ask(server.url, { path, headers })
  return { server, model, get, from, url: server.url }
}
const cookieOf = ({ headers }: { headers: Readonly<Record<string, unknown>> }): string => {
  const [cookie] = headers['set-cookie'] as string[]
  return String(cookie).split(';')[0] ?? ''
}

describe('a guest', () => {
  it('is known again by the cookie, also by the next server', async () => {
    const stored = { ...life, isOnDisk: true }
    const { get } = await opened({}, stored)
    const first = await get('/life/profile')
    const [cookie] = first.headers['set-cookie'] as string[]
    expect([first.status, cookie]).toEqual([200, expect.stringMatching(GUEST)])

    const again = await get('/life/profile', { cookie: `theme=dark; ${cookieOf(first)}` })
    const other = await get('/life/profile')
    const next = await opened({}, stored)
    const later = await next.get('/life/profile', { cookie: cookieOf(first) })

    expect([again.json, again.headers['set-cookie']]).toEqual([first.json, undefined])
    expect(later.json).toEqual(first.json)
    expect(other.json['user']).not.toBe(first.json['user'])
  })

  it('gets answers that no cache on the way keeps for others', async () => {
    const { get } = await opened()
    const first = await get('/life/profile')
    const headers = { cookie: cookieOf(first) }

    for (const response of [first, await get('/life/profile', headers), await get('/v1/usage', headers)]) {
      expect(response.headers['cache-control']).toBe('private, no-store')
    }
  })

  it('is a new one where the cookie is forged or damaged', async () => {
    const { get } = await opened()
    const value = cookieOf(await get('/life/profile'))
    const [name = '', signature = ''] = value.replace('dragoman_guest=', '').split('.')
    const turned = signature.split('').toReversed().join('')

    for (const forged of [
      `${name}.${turned}`,
      `guest_AAAAAAAAAAAA.${signature}`,
      `local.${signature}`,
      `ada.${signature}`,
      name,
      '',
      `${name}.`,
      `${value}=`,
      'x'.repeat(4000),
      `${name}.${'A'.repeat(43)}`,
      '%00',
    ]) {
      const response = await get('/life/profile', { cookie: `dragoman_guest=${forged}` })
      expect([forged, response.status, response.json['user']]).toEqual([
        forged,
        200,
        expect.stringMatching(/^guest_[\w-]{12}$/),
      ])
      expect(response.json['user']).not.toBe(name)
    }
  })

  it('gets a cookie for encrypted lines alone, where the line is', async () => {
    const { get } = await opened()

    const response = await get('/life/profile', { 'x-forwarded-proto': 'https' })

    expect(response.headers['set-cookie']).toEqual([
      expect.stringMatching(/^__Host-dragoman_guest=.*; Path=\/; .*; SameSite=Lax; Secure$/),
    ])
  })

  it('keeps its visit when the line becomes encrypted, with a cookie that is bound to the host', async () => {
    const { get } = await opened()
    const tls = { 'x-forwarded-proto': 'https' }
    const first = await get('/life/profile')
    const upgraded = await get('/life/profile', { cookie: cookieOf(first), ...tls })
    const bound = cookieOf(upgraded)

    expect(upgraded.json).toEqual(first.json)
    expect(bound).toMatch(/^__Host-dragoman_guest=/)
    const again = await get('/life/profile', { cookie: `${cookieOf(first)}; ${bound}`, ...tls })
    expect([again.json, again.headers['set-cookie']]).toEqual([first.json, undefined])
    // Another name of the domain cannot set its own one in place of it.
    const planted = await get('/life/profile', { cookie: bound.replace('__Host-', ''), ...tls })
    expect(planted.json).not.toEqual(first.json)
    const stranger = await get('/life/profile')
    const both = await get('/life/profile', { cookie: `${cookieOf(stranger)}; ${bound}`, ...tls })
    expect(both.json).toEqual(first.json)
  })

  it('is refused with two cookies of one name', async () => {
    const { get } = await opened()
    const [one, other] = [cookieOf(await get('/life/profile')), cookieOf(await get('/life/profile'))]

    for (const cookie of [`${one}; ${other}`, `${one}; ${one}`]) {
      const response = await get('/life/profile', { cookie })
      expect([response.status, response.headers['set-cookie']]).toEqual([401, undefined])
    }
  })

  it('has the paths of the life agent, their own threads, and nothing else', async () => {
    const { get, url } = await opened()
    const cookie = cookieOf(await get('/life/profile'))

    for (const path of [
      '/v1/models',
      '/v1/protocols',
      '/v1/providers',
      '/v1/mcp/servers',
      '/v1/threads/conv_1/fork',
      '/v1/threads/conv_1/messages/more',
      '/v1/agents/life',
      '/life/status',
      '/life/profiles',
      '/docs',
      '/metrics',
      '/life/chat/history',
    ]) {
      expect([path, (await get(path, { cookie })).status]).toEqual([path, 401])
    }
    expect((await get('/v1/runs', { cookie })).json).toEqual({ runs: [] })
    const started = await ask(url, {
      method: 'POST',
      path: '/life/chat',
      headers: { cookie },
      body: useChat('chat-1'),
    })
    expect(started.status).toBe(401)
    expect((await get('/v1/quota', { cookie })).json).toMatchObject({
      tier: 'unlimited',
      storage: { used: 0 },
    })
    const page = socketClient(url, { reconnection: false, extraHeaders: { cookie } })
    const refused = await new Promise((resolve) => void page.socket.once('connect_error', resolve))
    expect(refused).toMatchObject({ data: { code: 'unauthorized' } })
    page.socket.disconnect()
  })

  it('is nobody where a token is sent: a right one counts, a wrong one is refused', async () => {
    const { server, get } = await opened()

    const ada = await get('/life/profile', { authorization: `Bearer ${server.token('ada')}` })
    const wrong = await get('/life/profile', { authorization: 'Bearer dgm_wrong' })

    expect([ada.json, ada.headers['set-cookie']]).toEqual([{ user: 'ada' }, undefined])
    expect([wrong.status, wrong.headers['set-cookie']]).toEqual([401, undefined])
  })

  it('comes from an address that sends no more than 20 new ones an hour', async () => {
    const { get, from } = await opened()
    const first = await get('/life/profile', from('2001:db8:1:2::1'))
    for (let n = 1; n < 20; n++) {
      expect((await get('/life/profile', from(`2001:db8:1:2::${n + 1}`))).status).toBe(200)
    }

    const late = await get('/life/profile', from('2001:db8:1:2:ffff::1'))

    expect(late).toMatchObject({ status: 429, json: { code: 'rate-limited' } })
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(3000)
    expect((await get('/life/profile', from('2001:db8:1:2::99', cookieOf(first)))).status).toBe(200)
    expect((await get('/life/profile', from('2001:db8:1:3::1'))).status).toBe(200)
  })

  it('may have a page of another origin only where that is allowed by name', async () => {
    const { get } = await opened({ origins: ['https://app.example'] })

    const named = await get('/life/profile', { origin: 'https://app.example' })
    const foreign = await get('/life/profile', { origin: 'https://evil.example' })

    expect(named.headers).toMatchObject({
      'access-control-allow-origin': 'https://app.example',
      'access-control-allow-credentials': 'true',
    })
    expect([foreign.status, foreign.headers['access-control-allow-credentials']]).toEqual([403, undefined])
  })
})

describe('without guests', () => {
  it.each([{ guests: false }, { guests: false, origins: ['https://app.example'] }])(
    'whoever has no token is refused: %j',
    async (config) => {
      const { get } = await opened(config)

      const response = await get('/life/profile', { origin: 'https://app.example' }).then((each) =>
        each.status === 403 ? get('/life/profile') : each,
      )

      expect([response.status, response.headers['set-cookie']]).toEqual([401, undefined])
      expect(response.headers['access-control-allow-credentials']).toBeUndefined()
    },
  )

  it('whoever calls from this machine is its user, and no guest', async () => {
    const { get } = await opened({ requireToken: false })

    expect((await get('/life/profile')).json).toEqual({ user: 'local' })
  })
})

describe('the file of the guest key', () => {
  it('is its owner’s alone; if it is damaged, nobody comes in as a guest until it is removed', async () => {
    const { server, get } = await opened({}, { ...life, needsSqlite: true })
    await writeFile(join(house.home, 'guest-key'), 'short')

    const response = await get('/life/profile')

    expect(response).toMatchObject({ status: 503, json: { error: 'Guests cannot be let in right now.' } })
    const ada = { authorization: `Bearer ${server.token('ada')}` }
    expect((await get('/life/profile', ada)).status).toBe(200)

    await rm(join(house.home, 'guest-key'))
    expect((await get('/life/profile')).headers['set-cookie']).toEqual([expect.stringMatching(GUEST)])
    expect((await stat(join(house.home, 'guest-key'))).mode & 0o077).toBe(0)
  })
})
