import { AgentCapabilitiesSchema } from '@ag-ui/core/schemas'
import { describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { framesOf } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { client } from '../support/http.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { weather } from '../support/story-tools.ts'

const scripted = scriptedModel()
const paint = { name: 'paint', description: 'Paints.', parameters: { type: 'object' } }

describe('AG-UI over HTTP', () => {
  const server = useServer({ models: scripted.models, tools: [weather] })
  const post = (path: string, body: Json) => client(server).post(`/ag-ui/jobs${path}`, body)
  const framesIn = async (response: Response) => framesOf(Buffer.from(await response.arrayBuffer()))
  const user = (content: string, id: string): Json => ({ id, role: 'user', content })

  it('reports an agent’s capabilities', async () => {
    const response = await client(server).get('/ag-ui/jobs/capabilities')
    const responseBody: unknown = await response.json()

    expect(AgentCapabilitiesSchema.strict().parse(responseBody)).toEqual(responseBody)
    expect((await client(server).get('/ag-ui/nobody/capabilities')).status).toBe(404)
  })

  it('stops the run of a thread or of an id, and requires one of them', async () => {
    for (const named of ['thread', 'run'] as const) {
      const held = gate()
      scripted.play([step(says('One ', held, 'two.'))])
      const started = await post('', { threadId: named, runId: 'r', messages: [user('Count', 'u')] })
      await held.reached

      const runId = String(started.headers.get('x-run-id'))
      const stopped = await post('/stop', named === 'thread' ? { threadId: named } : { runId })
      expect(await stopped.json()).toEqual({ stopped: true })
      expect((await framesIn(started)).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'abort' })
    }
    expect(await (await post('/stop', { threadId: 'new' })).json()).toEqual({ stopped: false })
    expect((await post('/stop', {})).status).toBe(400)
    expect((await post('?disconnect=never', {})).status).toBe(400)
  })

  it('ends a suspended run on another message, and keeps the state', async () => {
    scripted.play([step(calls('c1', 'paint', {})), step(says('Never mind.'))])
    const first = user('Paint', 'u1')
    await framesIn(
      await post('', { threadId: 't', runId: 'r1', messages: [first], tools: [paint], state: { n: 1 } }),
    )

    const frames = await framesIn(
      await post('', { threadId: 't', runId: 'r2', messages: [first, user('Stop that', 'u2')] }),
    )

    expect(frames[0]).toMatchObject({ type: 'RUN_STARTED', runId: 'r2' })
    expect(frames.find(({ type }) => type === 'STATE_SNAPSHOT')).toMatchObject({ snapshot: { n: 1 } })
    expect(frames.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
  })

  it('recognizes its own answer by its text under any id, with its calls', async () => {
    scripted.play([
      step(says('I look.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('It rains.')),
      step(says('It does.')),
    ])
    const first = user('Weather?', 'u1')
    await framesIn(await post('', { threadId: 'retold', runId: 'r1', messages: [first] }))
    const reply = { id: 'own-1', role: 'assistant', content: 'It rains.' }

    const messages = [first, reply, user('Sure?', 'u2')]
    await framesIn(await post('', { threadId: 'retold', runId: 'r2', messages }))

    const lastPrompt = JSON.stringify(scripted.prompts.at(-1))
    expect(lastPrompt).toContain('Rain in Oslo.')
    expect(lastPrompt.split('It rains.')).toHaveLength(2)
  })

  it('opens a branch for an edited message', async () => {
    scripted.play([step(says('One.')), step(says('Two.'))])
    const ask = (runId: string, content: string) =>
      post('', { threadId: 'edited', runId, messages: [user(content, 'u1')] })
    await framesIn(await ask('r1', 'First'))
    await framesIn(await ask('r2', 'Second'))

    const history = await client(server).get('/v1/threads/edited/messages')
    const { messages } = (await history.json()) as {
      messages: readonly { parts: readonly { text?: string }[] }[]
    }
    expect(messages.map(({ parts }) => parts.map(({ text }) => text ?? '').join(''))).toEqual([
      'Second',
      'Two.',
    ])
    expect(JSON.stringify(scripted.prompts[1])).not.toContain('First')
  })
})
