import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../packages/dragoman/src/index.ts'
import { chatRequest, client } from './support/http.ts'
import { openServer, type TestServer } from './support/server.ts'
import { events, wireModels, wireProvider, type Reply, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

type Json = Record<string, unknown>

const words = wireWords.find(({ api }) => api === 'anthropic')
if (!words) throw new Error('There are no words of anthropic.')
const { begin, end } = words
const block = (index: number, content: object, ...deltas: object[]): string[] =>
  events(
    { type: 'content_block_start', index, content_block: content } as object,
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index } as object,
  )
const search = (index: number): string[] =>
  block(
    index,
    { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    { type: 'input_json_delta', partial_json: '{"query":"Oslo"}' },
  )
const outcome = (index: number, content: unknown): string[] =>
  block(index, { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content })
const say = (index: number, text: string): string[] =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text })
const ending = end.slice(1)
const paused = ending.map((piece) => piece.replace('end_turn', 'pause_turn'))
const found = {
  type: 'web_search_result',
  title: 'Oslo',
  url: 'https://example.com/oslo',
  encrypted_content: 'sealed',
  page_age: null,
}
const refused = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
const hello: Reply = { body: [...begin, ...say(0, 'Hello'), ...ending] }
const called = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'Oslo' } }

describe('a call that Anthropic runs', () => {
  let wire: WireProvider
  let server: TestServer
  beforeAll(async () => {
    wire = await wireProvider()
    const tool = (name: string, needsApproval: boolean) =>
      defineTool({
        name,
        description: 'Acts.',
        inputSchema: z.object({ at: z.number() }),
        needsApproval,
        execute: () => 'Done.',
      })
    server = await openServer({
      tools: [tool('look', false), tool('pay', true)],
      models: wireModels(wire.url, { first: 'anthropic' }),
      agent: { model: { primary: 'first:one' }, maxSteps: 3 },
    })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await wire[Symbol.asyncDispose]()
  })
  const say2 = async (conversationId: string): Promise<string> => {
    const response = await client(server).post('/jobs/chat', chatRequest('look, please', { conversationId }))
    await response.text()
    return `/v1/runs/${response.headers.get('x-run-id')}/events?protocol=native`
  }
  /** Asks twice in a conversation: the run's last event, and the messages of each request. */
  const askTwice = async (name: string, ...replies: Reply[]) => {
    wire.play(...replies, hello)
    const conversation = `own-calls-${name.replaceAll(' ', '-')}`
    const log = await (await client(server).get(await say2(conversation))).text()
    await say2(conversation)
    const bodies = wire.requests.map(({ body }) => JSON.parse(body, withoutMarks) as { messages: Json[] })
    const lines = log.split('\n').filter((line) => line.startsWith('data: '))
    return {
      log: lines.map((line) => JSON.parse(line.slice('data: '.length)) as Json),
      requests: bodies.map(({ messages }) => messages),
    }
  }

  it('goes back with the error in which it ended', async () => {
    const { requests } = await askTwice('error', {
      body: [...begin, ...search(0), ...outcome(1, refused), ...say(2, 'Not found.'), ...ending],
    })

    expect(requests[1]?.[1]?.['content']).toEqual([
      called,
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: refused },
      { type: 'text', text: 'Not found.' },
    ])
  })

  it('does not go back without its outcome', async () => {
    const { requests, log } = await askTwice('cut', {
      body: [...begin, ...say(0, 'I search.'), ...search(1)],
      after: 'cut',
    })

    expect(log.at(-1)).toMatchObject({ type: 'run.failed' })
    expect(requests[1]?.[1]).toEqual({ role: 'assistant', content: [{ type: 'text', text: 'I search.' }] })
  })

  it('goes on after a pause, with the answer as it was', async () => {
    const { requests, log } = await askTwice(
      'pause',
      { body: [...begin, ...say(0, 'I search.'), ...search(1), ...paused] },
      { body: [...begin, ...outcome(0, [found]), ...say(1, 'Oslo is a city.'), ...ending] },
    )

    const before = [{ type: 'text', text: 'I search.' }, called]
    expect(requests[1]?.slice(1)).toEqual([{ role: 'assistant', content: before }])
    expect(log.at(-1)).toMatchObject({ type: 'run.finished', reason: 'stop' })
    expect(log.filter(({ type }) => type === 'tool.returned')).toHaveLength(1)
    expect(requests[2]?.[1]?.['content']).toMatchObject([
      ...before,
      { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [found] },
      { type: 'text', text: 'Oslo is a city.' },
    ])
  })

  it('gets its outcome after the calls of this server, also in the middle of them', async () => {
    const call = block(
      2,
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
      { type: 'input_json_delta', partial_json: '{"at":1}' },
    )
    const calling = ending.map((piece) => piece.replace('end_turn', 'tool_use'))
    const { requests, log } = await askTwice(
      'both',
      { body: [...begin, ...say(0, 'I search.'), ...search(1), ...call, ...calling] },
      { body: [...begin, ...outcome(0, [found]), ...say(1, 'Oslo is a city.'), ...ending] },
    )

    expect(requests[1]?.slice(1)).toMatchObject([
      { role: 'assistant', content: [{ type: 'text' }, called, { type: 'tool_use', id: 'toolu_1' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
    ])
    expect(log.at(-1)).toMatchObject({ type: 'run.finished', reason: 'stop' })
    expect(log.filter(({ type }) => type === 'tool.returned')).toHaveLength(2)
    expect(JSON.stringify(requests[2])).toContain('"tool_use_id":"srvtoolu_1"')
  })

  it('gets its outcome after a question to the user', async () => {
    const call = block(
      1,
      { type: 'tool_use', id: 'toolu_1', name: 'pay', input: {} },
      { type: 'input_json_delta', partial_json: '{"at":1}' },
    )
    const calling = ending.map((piece) => piece.replace('end_turn', 'tool_use'))
    wire.play(
      { body: [...begin, ...search(0), ...call, ...calling] },
      { body: [...begin, ...outcome(0, [found]), ...say(1, 'Paid.'), ...ending] },
    )
    const address = await say2('own-calls-question')
    const run = address.replace('/events?protocol=native', '')
    const message = JSON.stringify((await client(server).json('GET', run)).body)
    const [, callId = ''] = /"callId":"([^"]+)","tool":"pay"/.exec(message) ?? []

    await client(server).post(`${run}/answers`, { callId, answer: { kind: 'approval', approved: true } })
    const log = await (await client(server).get(address)).text()

    expect(log).toContain('"type":"run.finished"')
    expect(log).not.toContain('tool.failed')
    expect(log.match(/"type":"tool.returned"/g)).toHaveLength(2)
    expect(JSON.stringify(JSON.parse(wire.requests[1]?.body ?? ''))).toContain('"id":"srvtoolu_1"')
  })

  it('goes on for no more than the steps of the run', async () => {
    const pause = { body: [...begin, ...search(0), ...paused] }
    const { requests, log } = await askTwice('pauses', pause, pause, pause)

    expect(requests).toHaveLength(4)
    expect(log.at(-1)).toMatchObject({ type: 'run.finished', reason: 'step-limit' })
    expect(JSON.stringify(requests[3])).not.toContain('server_tool_use')
  })
})

function withoutMarks(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value
}
