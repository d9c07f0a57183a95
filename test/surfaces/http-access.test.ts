import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { describeRoute, type AppEnv } from '../../packages/dragoman/src/agents/index.ts'
import { client } from '../support/http.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { useServer } from '../support/use-server.ts'

describe('HTTP access', () => {
  const server = useServer({ models: scriptedModel().models })

  it('reports health, readiness and the protocols', async () => {
    const { get } = client(server)

    expect(await (await get('/health')).json()).toMatchObject({ status: 'ok', capabilities: ['jobs'] })
    expect(await (await get('/ready')).json()).toEqual({ status: 'ready' })
    expect((await get('/')).headers.get('location')).toBe('./docs')
  })

  it.each([
    ['another host name', { host: 'evil.example' }],
    ['a foreign page', { host: '127.0.0.1', origin: 'https://evil.example' }],
    ['a page of another port', { host: '127.0.0.1:3033', origin: 'http://127.0.0.1:5173' }],
    ['a page without an origin', { host: '127.0.0.1', origin: 'null' }],
  ])('rejects %s', async (_name, headers) => {
    const response = await client(server).get('/jobs/agent/status', headers)

    expect(response.status).toBe(403)
    expect(await response.json()).toMatchObject({ code: 'forbidden' })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('admits the server’s own pages', async () => {
    const own = { host: 'localhost:3033', origin: 'http://localhost:3033' }

    expect((await client(server).get('/health', own)).status).toBe(200)
  })

  it.each([
    ['{"messages": [\n  oops]}', 'Invalid JSON at line 2, column 3.'],
    ['', 'Invalid JSON: the body is empty.'],
    ['{"messages": [', 'Invalid JSON: it ends too early.'],
  ])('reports the position of invalid JSON: %j', async (body, error) => {
    const response = await client(server).post('/jobs/chat', body)

    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error, code: 'invalid-request' })
  })

  it('rejects a body that is too large, also without a length', async () => {
    const large = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(21_000_000) }] })
    const streamed = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(large))
        controller.close()
      },
    })
    const chunked = new Request('http://127.0.0.1/jobs/chat', {
      method: 'POST',
      body: streamed,
      duplex: 'half',
    })

    for (const response of [await client(server).post('/jobs/chat', large), await server.fetch(chunked)]) {
      expect(response.status).toBe(413)
      expect(await response.json()).toMatchObject({ code: 'too-large' })
    }
  })

  it.each([
    ['nested too deeply', `{"messages":[],"context":${'['.repeat(5000)}${']'.repeat(5000)}}`],
    ['never closed', '['.repeat(500_000)],
  ])('rejects a body that is %s', async (_name, body) => {
    const response = await client(server).post('/jobs/chat', body)

    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ code: 'invalid-request' })
  })

  it('names an unknown path or id', async () => {
    const response = await client(server).get('/nowhere')

    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: 'There is no GET /nowhere here.', code: 'not-found' })
  })

  it.each([
    ['PUT', '/jobs/chat', 'GET, HEAD, POST'],
    ['GET', '/ag-ui/jobs/stop', 'POST'],
    ['POST', '/copilotkit/info/', 'GET, HEAD'],
    ['DELETE', '/v1/threads', 'GET, HEAD, POST'],
    ['POST', '/health', 'GET, HEAD'],
  ])('names the methods that a path takes: %s %s', async (method, path, allow) => {
    const response = await client(server).send(method, path)

    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe(allow)
    expect(await response.json()).toMatchObject({ code: 'method-not-allowed' })
  })

  it('takes a token from the cookie of its sign-in, and ignores an old one', async () => {
    await using guarded = await openServer({
      models: scriptedModel().models,
      flags: ['--require-token', '--allow-origin', 'http://localhost:*'],
      users: ['ada'],
    })
    const { get, post, send } = client(guarded)
    const signedIn = await post('/auth/sign-in', { token: guarded.token('ada') })
    const [cookie = '', ...rules] = (signedIn.headers.get('set-cookie') ?? '').split('; ')

    expect(await signedIn.json()).toEqual({ user: 'ada' })
    expect(rules).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']))
    const answer = await get('/v1/threads', { cookie })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect((await send('POST', '/v1/threads', {}, { cookie, origin: 'http://127.0.0.1' })).status).toBe(201)
    const elsewhere = { cookie, origin: 'http://localhost:3000' }
    expect((await send('POST', '/v1/threads', {}, elsewhere)).status).toBe(401)
    expect((await get('/v1/threads', { cookie: 'dragoman_token=dgm_old' })).status).toBe(401)
    expect((await get('/v1/threads', { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post('/auth/sign-in', { token: 'dgm_wrong' })).status).toBe(401)
    expect((await post('/auth/sign-out', {})).headers.get('set-cookie')).toContain('Max-Age=0')
  })

  it('refuses a GET that acts with a cookie alone', async () => {
    const routes = new Hono<AppEnv>().get(
      '/sync',
      describeRoute({
        group: 'Test',
        summary: 'Acts',
        acts: true,
        responses: { 200: { description: 'Done.', json: z.object({}) } },
      }),
      (c) => c.json({}),
    )
    await using guarded = await openServer({
      models: scriptedModel().models,
      flags: ['--require-token'],
      users: ['ada'],
      capability: { routes },
    })
    const { get, post } = client(guarded)
    const signedIn = await post('/auth/sign-in', { token: guarded.token('ada') })
    const [cookie = ''] = (signedIn.headers.get('set-cookie') ?? '').split('; ')
    const statusWith = async (headers: Record<string, string>) => (await get('/jobs/sync', headers)).status

    expect(await statusWith({ cookie })).toBe(403)
    expect(await statusWith({ cookie, 'sec-fetch-site': 'none' })).toBe(403)
    expect(await statusWith({ cookie, 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await statusWith({ cookie, origin: 'http://127.0.0.1' })).toBe(200)
    expect(await statusWith({ authorization: `Bearer ${guarded.token('ada')}` })).toBe(200)
  })
})
