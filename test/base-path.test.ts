import { io } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { socketIo } from '../packages/socket-io/src/index.ts'
import {
  createServer,
  customEngine,
  defineAgent,
  readConfig,
  type Server,
} from '../packages/dragoman/src/index.ts'
import { createTempDir } from './support/create-temp-dir.ts'
import { scriptedModel, says, step } from './support/scripted-model.ts'

const BASE = '/api/agents'
const agent = defineAgent({ id: 'echo', instructions: 'Repeat what the user says.', tools: [] })

describe('a server below a path of an application', () => {
  let server: Server
  beforeEach(async () => {
    const config = readConfig(['--home', await createTempDir(), '--log-level', 'silent', '--port', '0'], {})
    const { models } = scriptedModel([step(says('Hello.'))])
    server = await createServer({
      agents: [agent],
      basePath: `${BASE}/`,
      config,
      models,
      plugins: [socketIo()],
    })
  })
  afterEach(() => server.close())

  const ask = (path: string, init?: RequestInit) => server.fetch(new Request(`http://localhost${path}`, init))
  const post = (path: string, body: object) =>
    ask(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  it('answers there, and where a proxy has removed the path', async () => {
    const statuses = await Promise.all(
      [`${BASE}/health`, `${BASE}/health?x=1`, '/health', `${BASE}x/health`, `${BASE}${BASE}/health`].map(
        async (path) => (await ask(path)).status,
      ),
    )

    expect(statuses).toEqual([200, 200, 200, 404, 404])
  })

  it('writes the path in every address', async () => {
    const form = new FormData()
    form.set('file', new File(['words'], 'words.txt', { type: 'text/plain' }))
    const file = await (await ask(`${BASE}/v1/files`, { method: 'POST', body: form })).json()
    const parts = [{ type: 'text', text: 'Read it.' }, file]
    await (
      await post(`${BASE}/echo/chat`, { id: 'c1', messages: [{ id: 'm1', role: 'user', parts }] })
    ).text()
    const history = await ask(`${BASE}/echo/chat/history?conversationId=c1&format=ui`)
    const { runs } = (await (await ask(`${BASE}/v1/runs`)).json()) as { runs: [{ id: string }] }
    const refused = await ask(`${BASE}/v1/runs/${runs[0].id}/events?after=900`)
    const { servers } = (await (await ask(`${BASE}/openapi.json`)).json()) as { servers: object }
    const { headers } = await ask(BASE)

    expect(file).toMatchObject({ url: expect.stringMatching(/^\/api\/agents\/v1\/files\/file_/) })
    expect(await history.json()).toMatchObject({
      messages: [
        { parts: [{}, { url: expect.stringContaining(`http://localhost${BASE}/v1/files/file_`) }] },
        {},
      ],
    })
    expect(await refused.json()).toMatchObject({
      history: expect.stringMatching(/^\/api\/agents\/v1\/threads\//),
    })
    expect(servers).toEqual([{ url: BASE }])
    expect(headers.get('location')).toBe(`${BASE}/docs`)
    expect(await (await ask(`${BASE}/v1/mcp/client.json`)).json()).toMatchObject({
      client_id: `https://localhost${BASE}/v1/mcp/client.json`,
      redirect_uris: [`https://localhost${BASE}/console/account`],
    })
  })

  it('tells a page where it resumes an answer', async () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const slow = defineAgent({
      id: 'slow',
      instructions: 'Wait.',
      tools: [],
      engine: customEngine(async function* () {
        yield 'One, '
        yield await promise
      }),
    })
    await server.close()
    const config = readConfig(['--home', await createTempDir(), '--log-level', 'silent'], {})
    server = await createServer({ agents: [slow], basePath: BASE, config })
    const messages = [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Count.' }] }]
    const first = await post(`${BASE}/slow/chat`, { id: 'c1', messages })
    const history = await (await ask(`${BASE}/slow/chat/history?conversationId=c1&format=ui`)).json()
    const { live } = history as { live: { resume: string } }
    const resumed = await ask(live.resume)
    resolve('two.')

    expect(live.resume).toMatch(/^\/api\/agents\/slow\/chat\/run_/)
    expect(await resumed.text()).toContain('two.')
    expect(await first.text()).toContain('two.')
  })

  it('serves sockets there', async () => {
    const url = new URL(await server.listen())
    const socket = io(url.origin, {
      path: `${BASE}/socket.io`,
      transports: ['websocket'],
      reconnection: false,
    })
    try {
      await new Promise<void>((resolve, reject) => {
        socket.on('connect', resolve)
        socket.on('connect_error', reject)
      })
      expect((await fetch(`${url.origin}${BASE}/health`)).status).toBe(200)
    } finally {
      socket.close()
    }
  })

  it.each(['api', '/a//b', '/a/../b', '/a?b', 'https://example.com/a'])('refuses %s', async (basePath) => {
    await expect(createServer({ agents: [agent], basePath })).rejects.toThrow(
      'basePath: must be a path like /api/agents.',
    )
  })
})
