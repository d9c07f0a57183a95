import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { eveRequest } from '../../../../agents/jobs/test/support/eve-request.ts'
import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { ask, exchange, rows, statuses } from '../../../../test/support/wire.ts'
import { bundledAgents } from '../../src/main.ts'

const NAME =
  'This server does not answer under that host name. Name it in hosts of config.yaml, or by --allow-host.'
const chat = { method: 'POST', path: '/jobs/chat', body: eveRequest('hello') }

describe('a loopback server', () => {
  let server: TestServer
  let before: object
  beforeAll(async () => {
    const flags = ['--allow-origin', 'https://app.example']
    server = await openServer({
      models: scriptedModel().models,
      agents: bundledAgents,
      isOnDisk: true,
      users: ['ada'],
      flags,
    })
    before = await rows(server.home)
  })
  afterAll(async () => {
    expect(await rows(server.home)).toEqual(before)
    await server[Symbol.asyncDispose]()
  })

  it.each([
    ['a domain pointed at it', 'evil.example'],
    ['that with our port', 'evil.example:3033'],
    ['a name that begins like ours', 'localhost.evil.example'],
    ['a name that ends like ours', 'evil-localhost'],
    ['a name with a trailing dot', 'localhost.'],
    ['an address with a trailing dot', '127.0.0.1.'],
    ['the address of all interfaces', '0.0.0.0'],
    ['a number that is our address', '2130706433'],
  ])('rejects the host %s', async (_what, host) => {
    const response = await ask(server.url, { ...chat, headers: { host } })

    expect(response).toMatchObject({ status: 403, json: { error: NAME, code: 'forbidden' } })
  })

  it.each(['user@localhost', 'localhost:99999', 'local host', ''])(
    'rejects the host name %j',
    async (host) => {
      const came = await exchange(
        server.url,
        `GET /v1/threads HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )

      expect([[400], [403]]).toContainEqual(statuses(came))
    },
  )

  it('rejects a request of HTTP/1.0 that names no host, without a token', async () => {
    const came = await exchange(server.url, 'GET /v1/threads HTTP/1.0\r\n\r\n')

    expect(statuses(came)).toEqual([403])
    expect(came).toContain(NAME)
    const withToken = `GET /v1/threads HTTP/1.0\r\nAuthorization: Bearer ${server.token('ada')}\r\n\r\n`
    expect(statuses(await exchange(server.url, withToken))).toEqual([200])
  })

  it('ignores a forwarded or a second Host header', async () => {
    const forwarded = { 'x-forwarded-host': 'localhost', forwarded: 'host=localhost', host: 'evil.example' }
    const twice =
      'GET /v1/threads HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n'

    expect(await ask(server.url, { path: '/v1/threads', headers: forwarded })).toMatchObject({ status: 403 })
    expect(statuses(await exchange(server.url, twice))).toEqual([403])
  })

  it('checks the host of an absolute request target', async () => {
    const path = 'http://evil.example/v1/threads'

    expect(await ask(server.url, { path })).toMatchObject({ status: 403, json: { error: NAME } })
    expect(await ask(server.url, { path: `${server.url}/v1/threads` })).toMatchObject({ status: 200 })
    const old = await exchange(server.url, `GET ${path} HTTP/1.0\r\n\r\n`)
    expect(statuses(old)).toEqual([403])
  })

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1:3033', '[::1]:3033'])(
    'answers under the host %s',
    async (host) => {
      expect(await ask(server.url, { path: '/v1/threads', headers: { host } })).toMatchObject({ status: 200 })
    },
  )

  it.each([
    'https://evil.example',
    'null',
    '',
    'http://localhost:5173',
    'https://app.example.evil.example',
    'https://app.example:444',
    'http://app.example',
    'https://app.example/',
    'https://APP.example',
    'https://evil.example https://app.example',
    'file://',
    'http://127.0.0.1@evil.example',
  ])('rejects pages of %j', async (origin) => {
    const attempts: Parameters<typeof ask>[1][] = [
      chat,
      { path: '/v1/threads' },
      { method: 'DELETE', path: '/v1/threads/conv_aaaaaaaaaaaa' },
      { method: 'OPTIONS', path: '/jobs/chat', headers: { 'access-control-request-method': 'POST' } },
      // What a form or a no-cors fetch sends without asking first.
      { ...chat, headers: { 'content-type': 'text/plain' } },
      { ...chat, headers: bearer(server.token('ada')) },
    ]
    for (const attempt of attempts) {
      const response = await ask(server.url, { ...attempt, headers: { ...attempt.headers, origin } })

      expect(response).toMatchObject({ status: 403, json: { code: 'forbidden' } })
      expect(response.json['error']).toContain(`Pages of ${origin} may not use this server.`)
      expect(response.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('sends CORS headers to an allowed origin, also with errors', async () => {
    const origin = 'https://app.example'
    const requestHeaders = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    }

    const preflight = await ask(server.url, {
      method: 'OPTIONS',
      path: '/jobs/chat',
      headers: { ...requestHeaders, origin },
    })
    const refused = await ask(server.url, {
      path: '/v1/threads',
      headers: { ...bearer('dgm_wrong'), origin },
    })

    expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': origin } })
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined()
    expect(preflight.headers['access-control-allow-headers']).toBe('authorization')
    expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': origin } })
    const exposed = String(refused.headers['access-control-expose-headers']).split(', ')
    for (const name of [
      'run-id',
      'conversation-id',
      'request-id',
      'session-created',
      'workflow-run-id',
      'workflow-stream-tail-index',
    ])
      expect(exposed).toContain(`x-${name}`)
  })

  it('does not reflect a header injection', async () => {
    const came = await exchange(
      server.url,
      'GET /v1/threads HTTP/1.1\r\nHost: localhost\r\nOrigin: https://a\u000bx\r\nConnection: close\r\n\r\n',
    )

    expect(statuses(came)).toEqual([400])
  })

  it.each([
    { 'x-forwarded-for': '203.0.113.9' },
    { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' },
    { 'x-forwarded-for': '2001:db8::1' },
    { 'x-real-ip': '203.0.113.9' },
    { forwarded: 'for=203.0.113.9' },
    { forwarded: 'for=127.0.0.1, for="[2001:db8::1]:4711"' },
    { forwarded: 'host=chat.example' },
    { 'cf-connecting-ip': '203.0.113.9' },
    { 'x-forwarded-host': 'chat.example' },
    { via: '1.1 proxy' },
  ])('rejects callers behind a proxy: %j', async (headers) => {
    expect(await ask(server.url, { ...chat, headers })).toMatchObject({
      status: 403,
      json: {
        error: expect.stringContaining('it needs a token. Start the server with --require-token.') as string,
      },
    })
    const authorized = { ...headers, ...bearer(server.token('ada')) }
    expect(await ask(server.url, { path: '/v1/threads', headers: authorized })).toMatchObject({ status: 200 })
  })

  it('answers requests that a local proxy sends itself', async () => {
    for (const client of ['127.0.0.1', '::1', '::ffff:127.0.0.1, 127.0.0.1']) {
      const headers = { 'x-forwarded-for': client }
      expect(await ask(server.url, { path: '/v1/threads', headers })).toMatchObject({ status: 200 })
    }
    const headers = { forwarded: 'for="[::1]:80";host=localhost:3033', 'x-forwarded-host': '127.0.0.1:5173' }
    expect(await ask(server.url, { path: '/v1/threads', headers })).toMatchObject({ status: 200 })
  })

  it.each(['cross-site', 'same-site'])(
    'rejects a script, an image or a form of a %s page without an Origin',
    async (site) => {
      const attempts: Parameters<typeof ask>[1][] = [
        { path: '/jobs/sync' },
        { path: '/v1/threads' },
        { path: '/openapi.json' },
        { path: '/health' },
        { path: '/', method: 'POST' },
        { path: '/docs', headers: { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' } },
        { path: '/jobs', headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' } },
        { path: '/', headers: { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' } },
        chat,
      ]
      for (const attempt of attempts) {
        const headers = { ...attempt.headers, 'sec-fetch-site': site }
        expect([attempt.path, (await ask(server.url, { ...attempt, headers })).status]).toEqual([
          attempt.path,
          403,
        ])
      }
    },
  )

  it('answers links, its own pages and clients other than browsers', async () => {
    const link = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    for (const path of ['/', '/docs']) {
      const { status } = await ask(server.url, { path, headers: { ...link, 'sec-fetch-site': 'cross-site' } })
      expect(status).toBeLessThan(400)
    }
    for (const site of ['none', 'same-origin'])
      expect(
        await ask(server.url, { path: '/v1/threads', headers: { 'sec-fetch-site': site } }),
      ).toMatchObject({ status: 200 })
    const authorized = { ...bearer(server.token('ada')), 'sec-fetch-site': 'cross-site' }
    expect(await ask(server.url, { path: '/v1/threads', headers: authorized })).toMatchObject({ status: 200 })
    const allowed = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }
    expect(await ask(server.url, { path: '/v1/threads', headers: allowed })).toMatchObject({ status: 200 })
  })

  it('answers under any host name with a token', async () => {
    const headers = { ...bearer(server.token('ada')), host: 'chat.example' }

    expect(await ask(server.url, { path: '/v1/threads', headers })).toMatchObject({ status: 200 })
    expect(await ask(server.url, { path: '/v1/threads', headers: { host: 'chat.example' } })).toMatchObject({
      status: 403,
    })
  })
})
