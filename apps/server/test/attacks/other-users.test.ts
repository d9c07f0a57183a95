import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { reading } from '../../../../test/support/event-stream.ts'
import { gate, type Gate } from '../../../../test/support/gate.ts'
import { eveRequest } from '../../../../agents/jobs/test/support/eve-request.ts'
import { calls, linesOf, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { ask, rows } from '../../../../test/support/wire.ts'
import { bundledAgents } from '../../src/main.ts'

const posting = (title: string) => ({ title, company: 'Northwind', url: 'https://northwind.example/jobs/1' })
const useChat = (id: string, messageId: string, text: string): Json => ({
  id,
  trigger: 'submit-message',
  messages: [{ id: messageId, role: 'user', parts: [{ type: 'text', text }] }],
})

describe('data of another user', () => {
  const model = scriptedModel()
  let server: TestServer
  let hold: Gate
  /** Ada's. */
  let run: string
  let message: string
  let thread: string
  let job: number

  const as = (user: string, method: string, path: string, body?: Json) =>
    ask(server.url, {
      method,
      path,
      headers: bearer(server.token(user)),
      ...(body !== undefined && { body }),
    })

  beforeAll(async () => {
    server = await openServer({
      models: model.models,
      agents: bundledAgents,
      users: ['ada', 'bob'],
      isOnDisk: true,
    })
    job = ((await as('ada', 'POST', '/jobs', posting('Secret Engineer'))).json['job'] as { id: number }).id
    hold = gate()
    model.play([step(says('Half', hold, ' of a secret.'))])
    const response = await fetch(`${server.url}/jobs/chat`, {
      method: 'POST',
      headers: bearer(server.token('ada')),
      body: JSON.stringify(useChat('chat-1', 'm1', 'tell me the secret')),
    })
    run = String(response.headers.get('x-run-id'))
    thread = String(response.headers.get('x-conversation-id'))
    const along = reading(response)
    await along.until('Half')
    await along.leave()
    // All that is said so far is in its rows: what is written after this, an attack has written.
    await as('ada', 'GET', `/v1/threads/${thread}/messages`)
    message = ((await as('ada', 'GET', `/v1/runs/${run}`)).json['run'] as { messageId: string }).messageId
  })
  afterAll(async () => {
    hold.open()
    await server[Symbol.asyncDispose]()
  })

  const names = (): Record<string, string> => ({
    RUN: run,
    MSG: message,
    CONV: thread,
    CHAT: 'chat-1',
    JOB: String(job),
  })
  const filled = (text: string): string =>
    text.replaceAll(/RUN|MSG|CONV|CHAT|JOB/g, (name) => names()[name] ?? name)

  const notFound: Readonly<Record<string, readonly string[]>> = {
    'There is no such run.': [
      'GET /v1/runs/RUN',
      'GET /v1/runs/MSG',
      'GET /v1/runs/message:jobs%2FCONV:m1',
      'GET /v1/runs/RUN/events',
      'GET /v1/runs/MSG/events?protocol=eve&after=1',
      'POST /v1/runs/RUN/stop',
      'POST /v1/runs/MSG/stop',
      'POST /v1/runs/RUN/answers {"callId":"c","answer":{"kind":"output","output":1}}',
      'POST /v1/runs/MSG/answers {"callId":"c","answer":{"kind":"output","output":1}}',
      'GET /jobs/chat/RUN/stream',
      'GET /jobs/chat/MSG/stream',
    ],
    'There is no such conversation.': [
      'POST /v1/threads/CONV/stop',
      'POST /v1/threads/CHAT/stop',
      'POST /v1/threads/CONV/runs {"replaces":"MSG"}',
      'POST /v1/threads/CONV/runs {"message":"go on","policy":"steer"}',
      'GET /v1/threads/CONV',
      'GET /v1/threads/CHAT',
      'PATCH /v1/threads/CONV {"title":"mine"}',
      'PATCH /v1/threads/CHAT {"title":"mine"}',
      'PATCH /v1/threads/CONV {"archived":true}',
      'PATCH /v1/threads/CONV {"chosen":"MSG"}',
      'POST /v1/threads/CONV/fork {"messageId":"MSG"}',
      'GET /v1/threads/CONV/export',
      'GET /v1/threads/CHAT/export?format=markdown',
      'GET /v1/questions?thread=CONV',
      'GET /v1/runs?thread=CONV',
      'DELETE /v1/threads/CONV',
      'DELETE /v1/threads/CHAT',
      'GET /v1/threads/CONV/messages',
      'GET /v1/threads?before=CONV',
      'POST /v1/threads/CONV/runs {"message":"go on"}',
      'POST /v1/threads {"name":"CONV"}',
      'GET /jobs/chat/conversations?before=CONV',
      'POST /jobs/chat {"message":"go on","options":{"conversationId":"CONV"}}',
      'POST /jobs/chat {"id":"CONV","message":{"role":"user","content":"x"}}',
    ],
    'There is no such message.': ['GET /v1/search?q=secret&before=MSG'],
    'Job not found': ['GET /jobs/JOB'],
  }

  it.each(Object.entries(notFound).flatMap(([error, all]) => all.map((what) => [what, error] as const)))(
    'is not found: %s',
    async (what, error) => {
      const [method = '', path = '', body] = filled(what).split(/ (?=\/)| (?=\{)/)
      const before = await rows(server.home)

      const response = await as('bob', method, path, body)

      expect(response).toMatchObject({ status: 404, json: { error, code: 'not-found' } })
      expect(response.text).not.toMatch(/secret/i)
      expect(await rows(server.home)).toEqual(before)
    },
  )

  it.each([
    ['GET', '/v1/threads', { threads: [] }],
    ['GET', '/v1/threads?archived=true', { threads: [] }],
    ['GET', '/v1/search?q=secret', { threads: [], messages: [] }],
    ['GET', '/v1/questions', { questions: [] }],
    ['GET', '/v1/runs', { runs: [] }],
    ['GET', '/jobs', { jobs: [], total: 0 }],
    ['GET', '/jobs?search=secret', { jobs: [], total: 0 }],
    ['GET', '/jobs/chat/conversations', { conversations: [] }],
    ['GET', '/jobs/chat/history?conversationId=CONV', { conversation: null, messages: [] }],
    ['GET', '/jobs/chat/history?conversationId=CHAT&format=ui', { conversation: null, messages: [] }],
    ['POST', '/jobs/chat/stop {"messageId":"MSG"}', { stopped: false }],
    ['POST', '/jobs/chat/stop {"runId":"RUN"}', { stopped: false }],
    ['POST', '/jobs/chat/stop {"conversationId":"CONV"}', { stopped: false }],
    ['POST', '/jobs/chat/stop {"conversationId":"CHAT"}', { stopped: false }],
  ])('is in no answer: %s %s', async (method, what, json) => {
    const [path = '', body] = filled(what).split(/ (?=\{)/)
    const before = await rows(server.home)

    const response = await as('bob', method, path, body)

    expect(response.status).toBe(200)
    expect(response.json).toEqual(json)
    expect(await rows(server.home)).toEqual(before)
    // It goes on, untouched, for whoever owns it.
    expect((await as('ada', 'GET', `/v1/runs/${run}`)).json).toMatchObject({ run: { status: 'running' } })
  })

  it('cannot be resumed by its chat id', async () => {
    expect((await as('bob', 'GET', '/jobs/chat/chat-1/stream')).status).toBe(204)
  })

  it('does not collide with the same ids', async () => {
    model.play([step(says('For Bob.'))])

    const mine = await as('bob', 'POST', '/jobs/chat', useChat('chat-1', 'm1', 'my own'))
    const saved = await as('bob', 'POST', '/jobs', posting('Engineer'))

    expect(mine).toMatchObject({ status: 200, text: expect.stringContaining('For Bob.') as string })
    expect(mine.headers['x-run-id']).not.toBe(run)
    expect(linesOf(model.prompts[0])).toEqual(['user: my own'])
    expect(saved).toMatchObject({ status: 201, json: { created: true, job: { title: 'Engineer' } } })
    expect((await as('bob', 'GET', '/v1/threads/chat-1')).json['id']).not.toBe(thread)
    expect((await as('ada', 'GET', '/v1/threads/chat-1')).json).toMatchObject({
      id: thread,
      live: { id: run },
    })
    expect((await as('ada', 'GET', `/jobs/${job}`)).json).toMatchObject({ job: { title: 'Secret Engineer' } })
  })

  it('is not found by tools or without a token', async () => {
    model.play([
      step(calls('c1', 'jobs_search', { keywords: 'secret' }), calls('c2', 'jobs_list', {})),
      step(says('None.')),
    ])

    const answer = await ask(server.url, { method: 'POST', path: '/jobs/chat', body: eveRequest('find it') })

    expect(answer.text).toContain('Found no matching posting')
    expect(answer.text).toContain('none saved yet')
    expect(answer.text).not.toContain('Northwind')
    expect((await ask(server.url, { path: `/v1/runs/${run}` })).status).toBe(404)
    expect((await ask(server.url, { path: `/jobs/${job}` })).status).toBe(404)
  })

  it('is not reached through the caller’s own thread', async () => {
    const own = String((await as('bob', 'POST', '/v1/threads', {})).json['id'])
    // What others said before may still be on its way into rows.
    const bobs = async () => {
      const { conversations, chat_messages: messages } = await rows(server.home)
      const isBobs = (row: Record<string, unknown>) => row['user_id'] === 'bob'
      return [conversations.filter(isBobs), messages.filter((row) => row['conversation_id'] === own)]
    }
    const before = await bobs()

    for (const [method, path, body] of [
      ['PATCH', '', { chosen: message }],
      ['POST', '/fork', { messageId: message }],
    ] as const) {
      expect(await as('bob', method, `/v1/threads/${own}${path}`, body)).toMatchObject({
        status: 404,
        json: { error: 'There is no such message.', code: 'not-found' },
      })
    }
    expect(await bobs()).toEqual(before)
  })

  it('stays when data with the same ids is deleted', async () => {
    expect((await as('bob', 'DELETE', '/v1/threads/chat-1')).status).toBe(204)

    expect((await as('ada', 'GET', '/v1/threads/chat-1')).json).toMatchObject({ id: thread })
    expect((await as('ada', 'GET', '/v1/threads/chat-1/messages')).json['messages']).toHaveLength(2)
  })
})
