import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { scriptedModel } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { runAgent, socketClient } from '../../../../test/support/socket-client.ts'
import { ask, rows } from '../../../../test/support/wire.ts'
import { bundledAgents } from '../../src/main.ts'

const TOO_MANY = 'The body may hold at most 50,000 values'
const TOO_MANY_KEYS = 'An object of the body may have at most 5000 keys'
const many = (count: number, each: string): string => `[${Array(count).fill(each).join(',')}]`

describe('a body with very many values', () => {
  const model = scriptedModel()
  let server: TestServer
  let before: object
  beforeAll(async () => {
    server = await openServer({ ...model, agents: bundledAgents, isOnDisk: true })
    before = await rows(server.home)
  })
  afterAll(async () => {
    expect(model.prompts).toEqual([])
    expect(await rows(server.home)).toEqual(before)
    await server[Symbol.asyncDispose]()
  })

  const PATHS = [
    '/jobs/chat',
    '/jobs/chat/stop',
    '/v1/threads',
    '/ag-ui/jobs',
    '/copilotkit',
    '/api/v1/chat/v5/stream',
    '/jobs',
  ]

  it.each(PATHS)('is rejected by %s before any work', async (path) => {
    for (const messages of [many(1_390_000, '{}'), many(1_000_000, '1'), many(700_000, '"a"')]) {
      const body = `{"messages":${messages}}`.slice(0, 4 * 1024 * 1024)
      const response = await ask(server.url, { method: 'POST', path, body })

      // A posting may have 1 MB at most.
      const [status, error] = path === '/jobs' ? [413, 'A posting may have at most 1 MB'] : [400, TOO_MANY]
      expect([path, response.status, response.json['error']]).toEqual([path, status, error])
    }
  })

  it.each([
    [
      '/jobs/chat',
      `{"id":"y","trigger":"submit-message","messages":[{"id":"a","role":"user","parts":PARTS}]}`,
    ],
    ['/jobs/chat', `{"id":"y","trigger":"submit-message","messages":PARTS}`],
    ['/jobs/chat', `{"messages":PARTS}`],
    ['/ag-ui/jobs', `{"threadId":"t","runId":"r","messages":PARTS}`],
    ['/ag-ui/jobs', `{"threadId":"t","runId":"r","messages":[],"tools":PARTS}`],
    ['/api/v1/chat/v5/stream', `{"messages":PARTS}`],
    ['/v1/threads/conv_aaaaaaaaaaaa/runs', `{"parts":PARTS}`],
  ])('that are all invalid gets one sentence from %s: %s', async (path, body) => {
    const response = await ask(server.url, {
      method: 'POST',
      path,
      body: body.replace('PARTS', many(24_000, '{}')),
    })

    expect([400, 404]).toContain(response.status)
    expect(String(response.json['error']).length).toBeLessThan(300)
  })

  it.each(['context', 'state', 'forwardedProps', 'tools', 'metadata', 'messages', 'anything'])(
    'is rejected by each path if %s has very many keys',
    async (field) => {
      const keys = Array.from({ length: 5001 }, (_, index) => `"k${index}":1`)
      for (const path of PATHS) {
        const response = await ask(server.url, {
          method: 'POST',
          path,
          body: `{"${field}":{${keys.join()}}}`,
        })

        expect([path, response.status, response.json['error']]).toEqual([path, 400, TOO_MANY_KEYS])
      }
    },
  )

  it('closes the connection of a socket if an object has very many keys', async () => {
    using client = socketClient(server.url)
    await client.ask('abort_run', {})
    const disconnected = new Promise((resolve) => client.socket.once('disconnect', resolve))
    const state = Object.fromEntries(Array.from({ length: 5001 }, (_, index) => [`k${index}`, 1]))
    client.send('run_agent', { ...runAgent('t', 'r', 'Hello'), state })

    expect(await disconnected).toMatch(/transport/)
  })

  it('closes the connection of a socket', async () => {
    using client = socketClient(server.url)
    await client.ask('abort_run', {})
    const disconnected = new Promise((resolve) => client.socket.once('disconnect', resolve))
    client.send('run_agent', {
      ...runAgent('t', 'r', 'Hello'),
      messages: Array.from({ length: 60_000 }, () => ({})),
    })
    expect(await disconnected).toMatch(/transport/)

    client.send('run_agent', {
      ...runAgent('t', 'r', 'Hello'),
      messages: Array.from({ length: 20_000 }, () => ({})),
    })
    const { event } = await client.until(({ event: { type } }) => type === 'RUN_ERROR')
    expect(String(event['message'])).toMatch(/^messages\.0\./)
  })
})
