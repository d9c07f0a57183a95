import { describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { readStored } from '../support/home-storage.ts'
import { chatRequest } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { socketClient } from '../support/socket-client.ts'
import { useServer } from '../support/use-server.ts'
import { bearer, newToken, withTokens } from '../support/users.ts'
import { ask, exchange, statuses } from '../support/wire.ts'

const TLS = { 'x-forwarded-proto': 'https' }

describe('the session of a browser', () => {
  const model = scriptedModel()
  const server = useServer({
    models: model.models,
    users: ['ada', 'bob'],
    isOnDisk: true,
    flags: ['--require-token'],
  })
  const own = () => ({ origin: server.url })

  const signIn = async (user: string, headers = {}) => {
    const body = JSON.stringify({ token: server.token(user) })
    const reply = await ask(server.url, {
      method: 'POST',
      path: '/auth/sign-in',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    const [set = '', ...others] = reply.headers['set-cookie'] as string[]
    const [pair = '', ...rules] = set.split('; ')
    const [name = '', value = ''] = pair.split('=')
    return { set, others, pair, rules, name, value }
  }
  const whoIs = async (cookie: string, headers = {}) =>
    (await ask(server.url, { path: '/auth/verify', headers: { cookie, ...headers } })).json['user']
  const status = async (method: string, path: string, headers: Record<string, string>) =>
    (await ask(server.url, { method, path, headers, ...(method.startsWith('P') && { body: '{}' }) })).status
  const list = async (headers: Record<string, string>) =>
    (await ask(server.url, { path: '/v1/sessions', headers })).json['sessions'] as Record<string, unknown>[]

  it('is a secret of its own, of 30 days, for this host and no script', async () => {
    const { pair, rules, name, value } = await signIn('ada')

    expect(value).toMatch(/^dgs_[\w-]{43}$/)
    expect(name).toBe(`dragoman_session_${new URL(server.url).port}`)
    expect(rules).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict'])
    expect(await whoIs(pair)).toBe('ada')
    expect(await readStored(server.home)).not.toContain(value.slice(4))
    for (const headers of [bearer(value), { 'x-eve-token': value }])
      expect(await status('GET', '/v1/threads', headers)).toBe(401)
    expect(await status('GET', '/v1/threads', { cookie: `${name}=${server.token('ada')}` })).toBe(401)
  })

  it('is bound to the host where the connection is encrypted', async () => {
    const { pair, rules, name } = await signIn('ada', TLS)
    const plain = await signIn('bob')

    expect(name).toMatch(/^__Host-dragoman_session/)
    expect(rules).toContain('Secure')
    expect(await whoIs(pair, TLS)).toBe('ada')
    // Another name of the domain can set a cookie without the prefix.
    expect(await whoIs(plain.pair, TLS)).toBeUndefined()
    expect(await whoIs(`${plain.pair}; ${pair}`, TLS)).toBe('ada')
    expect(await whoIs(`${plain.pair}; ${pair}`)).toBe('ada')
  })

  it.each([
    ['of two users', (a: string, b: string) => `${a}; ${b}`],
    ['of one user', (a: string) => `${a}; theme=dark; ${a}`],
    ['one of which is empty', (a: string) => `${a}; ${a.split('=')[0]}=`],
    ['one of which is no session', (a: string) => `${a.split('=')[0]}=x; ${a}`],
  ])('is none with two cookies of the name, %s', async (_what, join) => {
    for (const headers of [{}, TLS]) {
      const [ada, bob] = [await signIn('ada', headers), await signIn('bob', headers)]

      const reply = await ask(server.url, {
        path: '/v1/threads',
        headers: { cookie: join(ada.pair, bob.pair), ...headers },
      })

      expect(reply.status).toBe(401)
    }
  })

  it('reads by its cookie alone, but acts for a page of this server only', async () => {
    const { pair: cookie } = await signIn('ada')
    const foreign = [
      {},
      { 'sec-fetch-site': 'none' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
      { referer: `${server.url}/` },
      { 'x-requested-with': 'XMLHttpRequest' },
    ]
    for (const headers of foreign) {
      expect(await status('GET', '/v1/threads', { cookie, ...headers })).toBe(200)
      for (const [method, path] of [
        ['POST', '/v1/threads'],
        ['DELETE', '/v1/threads/x'],
        ['PATCH', '/v1/threads/x'],
        ['POST', '/jobs/chat'],
        ['DELETE', '/v1/sessions'],
        ['PUT', '/v1/providers/openai'],
      ] as const)
        expect([path, await status(method, path, { cookie, ...headers })]).toEqual([path, 403])
    }
    for (const headers of [own(), { 'sec-fetch-site': 'same-origin' }])
      expect(await status('POST', '/v1/threads', { cookie, ...headers })).toBe(201)
    for (const origin of ['http://127.0.0.1:1', 'https://evil.example', 'null', ''])
      expect([401, 403]).toContain(await status('POST', '/v1/threads', { cookie, origin }))
    for (const site of ['cross-site', 'same-site'])
      expect(await status('GET', '/v1/threads', { cookie, 'sec-fetch-site': site })).toBe(403)
    expect(await status('POST', '/v1/threads', { cookie, ...bearer(server.token('ada')) })).toBe(201)
  })

  it('acts on an encrypted connection for an encrypted page only', async () => {
    const { pair: cookie } = await signIn('ada', TLS)
    const host = new URL(server.url).host
    const from = (origin: string) => status('POST', '/v1/threads', { cookie, origin, ...TLS })

    expect(await from(`https://${host}`)).toBe(201)
    expect(await from(`http://${host}`)).toBe(401)
  })

  it('opens a socket for a page of this server only', async () => {
    const { pair: cookie } = await signIn('ada')
    const refused = async (options: object) => {
      using page = socketClient(server.url, { reconnection: false, ...options })
      // The socket is closed when this returns.
      return await new Promise<string>((resolve) => {
        page.socket.once('connect_error', (error) => resolve(error.message))
        page.socket.once('connect', () => resolve('connected'))
      })
    }

    for (const transports of [['websocket'], ['polling']]) {
      expect(await refused({ transports, extraHeaders: { cookie } })).toMatch(/A cookie alone may only read/)
      expect(await refused({ transports, extraHeaders: { cookie, ...own() } })).toBe('connected')
    }
    const upgrade = [
      'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
      `Host: ${new URL(server.url).host}`,
      `Cookie: ${cookie}`,
      'Origin: http://127.0.0.1:1',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      '\r\n',
    ].join('\r\n')
    expect(statuses(await exchange(server.url, upgrade))).toEqual([403])
  })

  it('ends at sign-out, and the session of before at the next sign-in', async () => {
    const first = await signIn('ada')
    const second = await signIn('ada', { cookie: first.pair })
    expect(await whoIs(first.pair)).toBeUndefined()
    expect(await whoIs(second.pair)).toBe('ada')

    const out = await ask(server.url, {
      method: 'POST',
      path: '/auth/sign-out',
      headers: { cookie: second.pair },
    })

    expect(out.status).toBe(204)
    expect(out.headers['set-cookie']).toEqual([
      `${second.name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`,
    ])
    expect(await whoIs(second.pair)).toBeUndefined()
    expect(await status('GET', '/v1/threads', bearer(server.token('ada')))).toBe(200)
  })

  it('ends its open streams when it ends, and leaves those of others', async () => {
    const [ending, staying] = [await signIn('ada'), await signIn('ada')]
    const hold = gate()
    model.play([step(says('Half', hold, ' done.'))])
    const started = await fetch(`${server.url}/jobs/chat`, {
      method: 'POST',
      headers: { cookie: ending.pair, ...own() },
      body: JSON.stringify(chatRequest('go')),
    })
    const run = started.headers.get('x-run-id')
    await hold.reached
    const follow = (cookie: string) =>
      fetch(`${server.url}/v1/runs/${run}/events`, { headers: { cookie } }).then((reply) => reply.text())
    const [broken, whole] = [follow(ending.pair), follow(staying.pair)]
    const first = started.text()
    for (const each of [first, broken]) each.catch(() => undefined)

    await ask(server.url, { method: 'POST', path: '/auth/sign-out', headers: { cookie: ending.pair } })

    await expect(broken).rejects.toThrow('terminated')
    await expect(first).rejects.toThrow('terminated')
    hold.open()
    expect(await whole).toContain('run.finished')
  })

  it('is listed for its user, and ended there and with its token', async () => {
    const secret = await newToken(server.home, 'eve')
    const body = JSON.stringify({ token: secret })
    const headers = { 'content-type': 'application/json', 'user-agent': 'Firefox/150' }
    const open = async () => {
      const reply = await ask(server.url, { method: 'POST', path: '/auth/sign-in', headers, body })
      return ((reply.headers['set-cookie'] as string[])[0] ?? '').split(';')[0] ?? ''
    }
    const [one, two, three] = [await open(), await open(), await open()]

    const sessions = await list({ cookie: one })

    expect(sessions).toHaveLength(3)
    expect(sessions.filter(({ isCurrent }) => isCurrent)).toEqual([
      {
        id: expect.stringMatching(/^ses_/) as string,
        token: 'eve',
        browser: 'Firefox/150',
        createdAt: expect.any(String) as string,
        lastUsedAt: expect.any(String) as string,
        expiresAt: expect.any(String) as string,
        isCurrent: true,
      },
    ])
    expect(JSON.stringify(sessions)).not.toContain('dgs_')
    const [{ id } = {}] = await list({ cookie: two }).then((all) => all.filter(({ isCurrent }) => isCurrent))
    const bob = (await signIn('bob')).pair
    expect(await status('DELETE', `/v1/sessions/${String(id)}`, { cookie: bob, ...own() })).toBe(404)
    expect(await whoIs(two)).toBe('eve')
    expect(await status('DELETE', `/v1/sessions/${String(id)}`, { cookie: one, ...own() })).toBe(204)
    expect([await whoIs(one), await whoIs(two), await whoIs(three)]).toEqual(['eve', undefined, 'eve'])
    expect(await status('DELETE', '/v1/sessions', { cookie: one, ...own() })).toBe(200)
    expect([await whoIs(one), await whoIs(three)]).toEqual(['eve', undefined])

    await withTokens(server.home, (all) => all.revoke('eve'))

    expect(await whoIs(one)).toBeUndefined()
    expect(await whoIs(bob)).toBe('bob')
  })

  it('replaces the cookie of earlier versions, which counts no more', async () => {
    const name = `dragoman_token_${new URL(server.url).port}`
    const old = `${name}=${server.token('ada')}`

    expect(await whoIs(old)).toBeUndefined()
    const { others } = await signIn('ada', { cookie: old })

    expect(others).toEqual([`${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`])
  })
})
