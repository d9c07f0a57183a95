import { describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { framesOf } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { client } from '../support/http.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'

describe('the CopilotKit surface', () => {
  const model = scriptedModel()
  const server = useServer({ ...model, users: ['ada', 'bob'] })

  const as = (user: string) => ({ authorization: `Bearer ${server.token(user)}` })
  const post = (path: string, body?: Json, user = 'ada'): Promise<Response> =>
    client(server).send('POST', `/copilotkit${path}`, body, as(user))
  const runBody = { threadId: 't', runId: 'r', messages: [{ id: 'm', role: 'user', content: 'Hi' }] }

  it('lists the agents and a default', async () => {
    const info = (await (await client(server).get('/copilotkit/info', as('ada'))).json()) as {
      agents: Record<string, { name: string }>
    }

    expect(info).toMatchObject({ mode: 'sse', audioFileTranscriptionEnabled: false })
    expect(Object.keys(info.agents)).toEqual(['jobs', 'default'])
    expect(info.agents['default']?.name).toBe('Test Agent')
    expect(await (await post('', { method: 'info' })).json()).toEqual(info)
  })

  it('knows the address of debug events, and serves none', async () => {
    const getReply = await client(server).get('/copilotkit/cpk-debug-events', as('ada'))
    const postReply = await post('/cpk-debug-events')

    expect([getReply.status, postReply.status]).toEqual([404, 405])
    expect(await getReply.json()).toMatchObject({ error: expect.stringContaining('GET /v1/runs/:id/events') })
  })

  it('reports an invalid request before any stream', async () => {
    const refusals: readonly [string, Json, number, string][] = [
      ['/agent/nobody/run', runBody, 404, 'There is no agent nobody.'],
      ['/agent/jobs/run', { threadId: 't' }, 400, 'runId'],
      ['/agent/jobs/connect', { runId: 'r' }, 400, 'threadId'],
      ['/agent/jobs/stop/t', { runId: 7 }, 400, 'runId'],
      ['', { method: 'agent/dance' }, 400, 'method'],
      ['', { method: 'agent/run', body: runBody }, 400, 'params.agentId'],
      ['', { method: 'agent/stop', params: { agentId: 'jobs' } }, 400, 'params.threadId'],
      ['/threads', {}, 404, '/copilotkit/threads'],
    ]
    for (const [path, body, status, words] of refusals) {
      const response = await post(path, body)
      const { error } = (await response.json()) as { error: string }
      expect({ path, status: response.status, error }).toEqual({
        path,
        status,
        error: expect.stringContaining(words),
      })
    }
  })

  it('neither shows nor stops another user’s thread', async () => {
    const held = gate()
    model.play([step(says('Secret', held, '.'))])
    const run = await post('/agent/jobs/run', runBody)
    const ours = run.headers.get('x-conversation-id') ?? ''
    await held.reached

    for (const thread of ['t', ours]) {
      const connectResponse = await post('/agent/jobs/connect', { threadId: thread, runId: 'look' }, 'bob')
      const types = framesOf(Buffer.from(await connectResponse.arrayBuffer())).map(({ type }) => type)
      expect(types).toEqual(['RUN_STARTED', 'RUN_FINISHED'])
      for (const body of [undefined, { runId: 'r' }, { runId: run.headers.get('x-run-id') ?? '' }])
        expect(await (await post(`/agent/jobs/stop/${thread}`, body, 'bob')).json()).toEqual({
          stopped: false,
        })
    }
    expect(await (await post('/agent/jobs/stop/t', { runId: 'r' })).json()).toEqual({ stopped: true })
    expect(await run.text()).toContain('"code":"abort"')
  })
})
