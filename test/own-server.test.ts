import { once } from 'node:events'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { readdir } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'

import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { socketIo } from '../packages/socket-io/src/index.ts'
import { changesOf } from '../packages/dragoman/src/log/changes.fixture.ts'
import { openTestStorage } from '../packages/dragoman/src/testing/test-storage.fixture.ts'
import {
  createServer,
  customEngine,
  defineAgent,
  readConfig,
  type Server,
  type ServerOptions,
} from '../packages/dragoman/src/index.ts'
import { memoryStore } from '../packages/dragoman/src/stores/memory/index.ts'
import { createTempDir } from './support/create-temp-dir.ts'

const echo = defineAgent({
  id: 'echo',
  instructions: 'Repeat what the user says.',
  tools: [],
  engine: customEngine(({ messages }) => [`You said: ${messages.at(-1)?.content}`]),
})

describe('a server inside an application', () => {
  let home: string
  let server: Server | undefined
  let http: HttpServer | undefined
  beforeEach(async () => {
    home = await createTempDir()
  })
  afterEach(async () => {
    await server?.close()
    http?.closeAllConnections()
    http?.close()
  })

  const open = async (options: Partial<ServerOptions> = {}) => {
    const config = readConfig(['--home', home, '--log-level', 'silent'], {})
    server = await createServer({ agents: [echo], config, ...options })
    return server
  }
  const say = (message: string, headers: Record<string, string> = {}) =>
    new Request('http://127.0.0.1/echo/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ message, stream: false }),
    })

  it('serves sockets on the application’s port, and leaves other requests to it', async () => {
    const { attach, fetch: answer } = await open({ plugins: [socketIo()] })
    const dragoman = getRequestListener(answer)
    http = createHttpServer((request, response) => {
      if (request.url === '/own') return void response.end('own')
      return void dragoman(request, response)
    })
    attach(http)
    http.listen(0, '127.0.0.1')
    await once(http, 'listening')
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`

    expect(await (await fetch(`${url}/own`)).text()).toBe('own')
    expect((await fetch(`${url}/echo/status`)).status).toBe(200)
    for (const transport of ['polling', 'websocket']) {
      const socket = io(url, { transports: [transport], reconnection: false })
      const ready = new Promise<string>((resolve, reject) => {
        socket.on('connect_error', reject)
        socket.on('event', (event: { type: string; delta?: string }) => {
          if (event.type === 'TEXT_MESSAGE_CONTENT') resolve(event.delta ?? '')
        })
      })
      const message = { id: transport, role: 'user', content: transport }
      const data = { threadId: transport, runId: transport, tools: [], context: [], messages: [message] }
      socket.emit('message', { type: 'run_agent', data })

      expect(await ready).toContain('You said: ')
      socket.disconnect()
    }
  })

  it('works as a part of a Hono application', async () => {
    const { fetch: answer } = await open()
    const app = new Hono().get('/own', (c) => c.text('own')).mount('/', answer)

    expect(await (await app.request('/own')).text()).toBe('own')
    expect(JSON.stringify(await (await app.request(say('Hello.'))).json())).toContain('You said: Hello.')
  })

  it('reports a missing Socket.IO package', async () => {
    const { attach } = await open()

    expect(() => attach(createHttpServer())).toThrow(/^attach: this server has no sockets\..*socketIo\(\)/)
  })

  it('identifies users with the application’s auth function', async () => {
    const { fetch: answer } = await open({
      auth: ({ header }) => {
        const user = header('x-user')
        return user === undefined ? undefined : { userId: user }
      },
    })
    const threads = async (user: string): Promise<unknown> => {
      const request = new Request('http://127.0.0.1/v1/threads', { headers: { 'x-user': user } })
      return (await answer(request)).json()
    }

    expect((await answer(say('Hello.', { 'x-user': 'ada' }))).status).toBe(200)
    expect(await threads('ada')).toMatchObject({ threads: [{ agent: 'echo' }] })
    expect(await threads('grace')).toMatchObject({ threads: [] })
    expect((await answer(say('Hello.'))).status).toBe(401)
    expect((await answer(say('Hello.', { 'x-user': 'x'.repeat(201) }))).status).toBe(403)
  })

  it('stores everything in a given storage', async () => {
    const own = await openTestStorage()
    const { fetch: answer } = await open(own)

    const response = await answer(say('Hello.'))
    expect(JSON.stringify(await response.json())).toContain('You said: Hello.')
    await changesOf(own.store, undefined, 1)
    expect((await readdir(home)).filter((file) => file.startsWith('dragoman.db'))).toEqual([])
    await server?.close()
    server = undefined
    await own.close()
  })

  it('requires a complete storage', async () => {
    await expect(open({ store: memoryStore() })).rejects.toThrow(
      'createServer: store, notifier and database belong together. Give all three, or none.',
    )
  })
})
