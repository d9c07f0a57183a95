import { AgentCapabilitiesSchema } from '@ag-ui/core/schemas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Json } from '../../packages/dragoman/src/index.ts'
import { framesOf } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { client } from '../support/http.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'

const scripted = scriptedModel()
const paint = { name: 'paint', description: 'Paints.', parameters: { type: 'object' } }

describe('AG-UI over HTTP', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openServer({ models: scripted.models, tools: [weather] })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const post = (path: string, body: Json) => client(server).post(`/ag-ui/jobs${path}`, body)
  const framesIn = async (response: Response) => framesOf(Buffer.from(await response.arrayBuffer()))
  const user = (content: string, id: string): Json => ({ id, role: 'user', content })

  it('says what an agent can do in the words of its clients', async () => {
    const response = await client(server).get('/ag-ui/jobs/capabilities')
    const said: unknown = await response.json()

    expect(AgentCapabilitiesSchema.strict().parse(said)).toEqual(said)
    expect((await client(server).get('/ag-ui/nobody/capabilities')).status).toBe(404)
  })

  it('stops what runs in a conversation, or a run of our id, and wants to know which', async () => {
    for (const named of ['thread', 'run'] as const) {
      const held = gate()
      scripted.play([step(says('One ', held, 'two.'))])
      const begun = await post('', { threadId: named, runId: 'r', messages: [user('Count', 'u')] })
      await held.reached

      const runId = String(begun.headers.get('x-run-id'))
      const stopped = await post('/stop', named === 'thread' ? { threadId: named } : { runId })
      expect(await stopped.json()).toEqual({ stopped: true })
      expect((await framesIn(begun)).at(-1)).toMatchObject({ type: 'RUN_ERROR', code: 'abort' })
    }
    expect(await (await post('/stop', { threadId: 'new' })).json()).toEqual({ stopped: false })
    expect((await post('/stop', {})).status).toBe(400)
    expect((await post('?disconnect=never', {})).status).toBe(400)
  })

  it('ends a run that waits where its user says something else, and tells the next what was shared', async () => {
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

  it('knows an answer of its own by its last words, under whatever name: its model reads what was called', async () => {
    scripted.play([
      step(says('I look.'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('It rains.')),
      step(says('It does.')),
    ])
    const first = user('Weather?', 'u1')
    await framesIn(await post('', { threadId: 'retold', runId: 'r1', messages: [first] }))
    const kept = { id: 'own-1', role: 'assistant', content: 'It rains.' }

    const messages = [first, kept, user('Sure?', 'u2')]
    await framesIn(await post('', { threadId: 'retold', runId: 'r2', messages }))

    const told = JSON.stringify(scripted.prompts.at(-1))
    expect(told).toContain('Rain in Oslo.')
    expect(told.split('It rains.')).toHaveLength(2)
  })

  it('gives a new wording of a message that is known its own branch', async () => {
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
