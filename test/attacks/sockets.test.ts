import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { scriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { socketClient } from '../support/socket-client.ts'

describe('a line of Socket.IO that means ill', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openServer({ ...scriptedModel(), users: ['ada'], flags: ['--require-token'] })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const letIn = () => socketClient(server.url, { auth: { token: server.token('ada') }, reconnection: false })

  it('is closed once it has left: it would else stand for one who has not joined yet', async () => {
    using client = letIn()
    await client.ask('abort_run', {})
    const { engine } = client.socket.io
    const closed = new Promise((resolve) => engine.once('close', resolve))
    engine.write('1')

    expect(await closed).toBe('transport close')
  })
})
