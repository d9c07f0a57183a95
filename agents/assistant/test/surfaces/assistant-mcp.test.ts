import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { everything } from '../../../../packages/dragoman/src/mcp/mcp.fixture.ts'
import { httpNotes, type HttpNotes } from '../../../../packages/dragoman/src/mcp/http-server.fixture.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { assistant } from '../../src/index.ts'

type Event = Record<string, unknown> & { readonly type: string }

const zip = { name: 'a.gz', data: 'data:text/plain,hello' }
const model = scriptedModel()
let home: string
let served: HttpNotes
let server: TestServer

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  served = await httpNotes()
  const mcp = { everything, notes: { url: served.url } }
  await writeFile(join(home, 'config.yaml'), JSON.stringify({ mcp }))
  const flags = ['--require-token']
  server = await openServer({ models: model.models, agents: [assistant], home, flags, users: ['ada', 'bob'] })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await served[Symbol.asyncDispose]()
  await rm(home, { recursive: true })
})

async function send(path: string, body: Json, user = 'ada'): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...bearer(server.token(user)) }
  return fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function post(path: string, body: Json, user?: string): Promise<Event[]> {
  return framesOf(await reading(await send(path, body, user)).whole()) as Event[]
}

async function newThread(): Promise<string> {
  const response = await send('/v1/threads', { agent: 'assistant' })
  return String(((await response.json()) as Event)['id'])
}

const input = (more: Record<string, Json>): Json => ({
  threadId: 'mine',
  runId: 'first',
  messages: [{ id: 'u1', role: 'user', content: 'Go.' }],
  tools: [],
  context: [],
  state: {},
  forwardedProps: {},
  ...more,
})

describe('the assistant with MCP servers', () => {
  it('runs read-only tools at once and writing tools after approval', async () => {
    model.play([
      step(calls('c1', 'everything_echo', { message: '你好' })),
      step(calls('c2', 'everything_gzip-file-as-resource', zip)),
      step(says('Zipped.')),
    ])
    const thread = await newThread()
    const response = await send(`/v1/threads/${thread}/runs`, { message: 'Zip it.' })
    const stream = reading(response)
    const events = framesOf(await stream.until('"type":"run.waiting"')) as Event[]
    expect(events.find(({ type }) => type === 'tool.returned')).toMatchObject({ text: 'Echo: 你好' })
    const question = events.find(({ type }) => type === 'tool.asked')
    expect(question).toMatchObject({ question: { kind: 'approval' } })

    const answer = { kind: 'approval', approved: true }
    const answers = `/v1/runs/${response.headers.get('x-run-id')}/answers`
    expect((await send(answers, { callId: String(question?.['callId']), answer })).ok).toBe(true)

    const restEvents = framesOf(await stream.whole()) as Event[]
    expect(restEvents.findLast(({ type }) => type === 'tool.returned')).toMatchObject({
      text: expect.stringMatching(/^\[resource: a\.gz/),
    })
    expect(restEvents.at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('sends AG-UI users their own approval format', async () => {
    model.play([step(calls('c1', 'everything_gzip-file-as-resource', zip)), step(says('Zipped.'))])
    const events = await post('/ag-ui/assistant', input({}))
    const outcome = events.at(-1)?.['outcome'] as { interrupts: { id: string }[] }
    const [{ id: interruptId } = { id: '' }] = outcome.interrupts

    const resume = [{ interruptId, status: 'resolved', payload: { approved: true } }]
    const done = await post('/ag-ui/assistant', input({ runId: 'second', messages: [], resume }))

    expect(done.find(({ type }) => type === 'TOOL_CALL_RESULT')).toMatchObject({
      content: expect.stringMatching(/^\[resource: a\.gz/),
    })
    expect(done.at(-1)).toMatchObject({ type: 'RUN_FINISHED', runId: 'second' })
  })

  it('forwards the headers of each user and stores them nowhere', async () => {
    const whoami = async (user: string) => {
      model.play([step(calls('c1', 'notes_whoami', {})), step(says('So it is.'))])
      const headers = { Authorization: `Bearer ${user}s-secret` }
      const forwardedProps = { mcpHeaders: { [new URL(served.url).origin]: { headers } } }
      const events = await post('/ag-ui/assistant', input({ threadId: `of ${user}`, forwardedProps }), user)
      return events.find(({ type }) => type === 'TOOL_CALL_RESULT')?.['content']
    }

    expect([await whoami('ada'), await whoami('bob')]).toEqual(['ada', 'bob'])
    for (const file of await readdir(home)) {
      expect(await readFile(join(home, file), 'latin1')).not.toMatch(/(adas|bobs)-secret/)
    }
  })

  it('reports which servers are unavailable and the state of each', async () => {
    model.play([step(says('They are away.'))])
    await post(`/v1/threads/${await newThread()}/runs`, { message: 'Where are my notes?' })
    const response = await fetch(`${server.url}/assistant/agent/status`, {
      headers: bearer(server.token('ada')),
    })

    const [system] = model.prompts[0] ?? []
    expect(system?.content).toContain(
      'The tools of the MCP server notes cannot be used now: it refuses who asks (HTTP 401).',
    )
    expect(await response.json()).toMatchObject({
      ready: true,
      notes: expect.arrayContaining([
        expect.stringMatching(/^MCP: everything is connected: \d+ tools\.$/),
        'MCP: notes has no tools now: it refuses who asks (HTTP 401).',
      ]),
    })
  })
})
