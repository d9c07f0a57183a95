import { expectTypeOf } from 'expect-type'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { messages, type AssistantMessage } from '../packages/client/src/index.ts'
import { createClient, type Change, type Client } from '../packages/client/src/v1.ts'
import { defineAgent, defineTool } from '../packages/dragoman/src/index.ts'
import type { UserChange } from '../packages/dragoman/src/server/fan-out/index.ts'
import {
  scriptedModel,
  testServer,
  toolCall,
  type TestServer,
} from '../packages/dragoman/src/testing/index.ts'

const pay = defineTool({
  name: 'pay',
  description: 'Pays.',
  inputSchema: z.object({ amount: z.number() }),
  needsApproval: true,
  execute: ({ amount }) => ({ paid: amount }),
})
const model = scriptedModel()
const clerk = defineAgent({ id: 'clerk', instructions: 'Pay what is asked.', model, tools: [pay] })

describe('a client of the server’s own API', () => {
  let server: TestServer
  let client: Client
  const requests: string[] = []
  beforeEach(async () => {
    server = await testServer({ agents: [clerk] })
    const ask: typeof fetch = async (address, init) => {
      const request = new Request(address, init)
      requests.push(`${request.method} ${request.url}`)
      return server.fetch(request)
    }
    client = createClient({ url: 'http://127.0.0.1/', fetch: ask })
  })
  afterEach(() => server.close())

  const openThread = () => client.call('POST /v1/threads', { body: { agent: 'clerk', name: 'a/b c' } })

  it('opens, lists, changes, searches and deletes threads', async () => {
    const { id } = await openThread()

    expect(await client.call('GET /v1/threads/{id}', { path: { id: 'a/b c' } })).toMatchObject({
      id,
      live: null,
    })
    await client.call('PATCH /v1/threads/{id}', { path: { id }, body: { title: 'Bills', archived: true } })
    expect((await client.call('GET /v1/threads')).threads).toEqual([])
    const { threads } = await client.call('GET /v1/threads', {
      query: { limit: 5, archived: true, agent: undefined },
    })
    expect(threads.map(({ title }) => title)).toEqual(['Bills'])
    expect((await client.call('GET /v1/search', { query: { q: 'Bills' } })).threads[0]?.id).toBe(id)
    expect(await client.call('DELETE /v1/threads/{id}', { path: { id } })).toBeUndefined()
    expect(requests).toContain('GET http://127.0.0.1/v1/threads/a%2Fb%20c')
    expect(requests).toContain('GET http://127.0.0.1/v1/threads?limit=5&archived=true')
  })

  it('starts a run, lists and answers its question, and follows it to its end', async () => {
    model.play([toolCall('pay', { amount: 5 }), 'Paid.'])
    const { id } = await openThread()
    const input = { path: { id }, body: { message: 'Pay 5.' }, headers: { 'idempotency-key': 'once' } }
    const response = await client.send('POST /v1/threads/{id}/runs', input)
    const runId = response.headers.get('x-run-id') ?? ''
    const again = await client.send('POST /v1/threads/{id}/runs', input)
    expect(again.headers.get('x-run-id')).toBe(runId)
    await again.body?.cancel()

    const states: AssistantMessage[] = []
    for await (const message of messages(client.follow(runId))) {
      states.push(message)
      const [question] =
        message.status === 'waiting' ? (await client.call('GET /v1/questions')).questions : []
      if (!question) continue
      const body = { callId: question.callId, answer: { kind: 'approval', approved: true } } as const
      await client.call('POST /v1/runs/{id}/answers', { path: { id: runId }, body })
    }

    expect(states.at(-1)).toMatchObject({
      status: 'finished',
      parts: [{}, { output: { paid: 5 } }, {}, { text: 'Paid.' }],
    })
    const { run, message } = await client.call('GET /v1/runs/{id}', { path: { id: runId } })
    expect([run.status, message.parts.length]).toEqual(['finished', 4])
    const page = await client.call('GET /v1/threads/{id}/messages', { path: { id } })
    expect(page.messages.map(({ role, place }) => [role, place])).toEqual([
      ['user', 1],
      ['assistant', 1],
    ])
    expect((await client.call('GET /v1/usage', { query: { by: 'agent' } })).total.toolCalls).toBe(1)
  })

  it('stores files, and reads what is no JSON', async () => {
    const form = new FormData()
    form.append('file', new File(['Milk'], 'list.txt', { type: 'text/plain' }))

    const { id, mediaType } = await client.call('POST /v1/files', { form })
    const file = await client.send('GET /v1/files/{id}', { path: { id } })

    expect([mediaType, await file.text()]).toEqual(['text/plain', 'Milk'])
  })

  it('hears what changes, until its signal aborts', async () => {
    const leave = new AbortController()
    const changes: Change[] = []
    const reading = (async () => {
      for await (const change of client.changes({ signal: leave.signal })) {
        if (changes.push(change) === 1) await openThread()
        if (change.type === 'thread.changed') leave.abort(new Error('left'))
      }
    })()

    await expect(reading).rejects.toThrow('left')
    expect(changes.map(({ type }) => type)).toEqual(['changed', 'thread.changed'])
    expectTypeOf<Change>().toExtend<UserChange>()
    expectTypeOf<UserChange>().toExtend<Change>()
  })

  it('throws the sentence of the server, or what its maker makes of a refusal', async () => {
    const unknown = { path: { id: 'conv_none' } }
    const own = createClient({
      fetch: async () => Response.json({}, { status: 418 }),
      toError: async ({ status }) => new RangeError(`Refused with ${status}.`),
    })

    await expect(client.call('GET /v1/threads/{id}', unknown)).rejects.toMatchObject({
      message: 'There is no such conversation.',
      cause: { status: 404, code: 'not-found' },
    })
    await expect(own.call('GET /v1/agents')).rejects.toThrow(new RangeError('Refused with 418.'))
  })
})

/** Requests with mistakes. They are compiled, and never sent. */
const wrongRequests = (client: Client): unknown[] => [
  // @ts-expect-error there is no such operation
  client.call('GET /v1/thread'),
  // @ts-expect-error the id is missing
  client.call('GET /v1/threads/{id}'),
  // @ts-expect-error the words are missing
  client.call('GET /v1/search', { query: {} }),
  // @ts-expect-error limit is a number
  client.call('GET /v1/threads', { query: { limit: 'all' } }),
  // @ts-expect-error threads have no such field
  client.call('PATCH /v1/threads/{id}', { path: { id: '1' }, body: { name: 'Bills' } }),
  client.call('POST /v1/runs/{id}/answers', {
    path: { id: '1' },
    // @ts-expect-error an approval is yes or no
    body: { callId: '1', answer: { kind: 'approval' } },
  }),
  // @ts-expect-error a stream is no JSON: it is for send
  client.call('GET /v1/events'),
  // @ts-expect-error a run has no such status
  client.call('GET /v1/runs').then(({ runs }) => runs[0]?.status === 'done'),
]

it('requests with mistakes do not compile', () => {
  expect(wrongRequests.length).toBe(1)
})
