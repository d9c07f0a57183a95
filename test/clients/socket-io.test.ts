import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { ended, runAgent, socketClient, textIn } from '../support/socket-client.ts'

describe('a client of use-ai over Socket.IO', () => {
  const model = scriptedModel()
  let server: TestServer
  beforeAll(async () => {
    server = await openServer({ models: model.models })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it('is told who is there, and what its agent says', async () => {
    model.play([step(says('Good ', 'day.'))])
    using page = socketClient(server.url)
    const agents = new Promise((resolve) => page.socket.once('agents', resolve))
    page.send('run_agent', runAgent('thread-1', 'run-1', 'Hello'))
    await page.until(ended('run-1'))

    expect(await agents).toEqual({
      agents: [{ id: 'jobs', name: 'Test Agent', annotation: 'Does what its script says' }],
      defaultAgent: 'jobs',
    })
    expect(textIn(page.of('run-1'))).toBe('Good day.')
  })
})
