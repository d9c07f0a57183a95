import { tool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../packages/dragoman/src/index.ts'
import { chatRequest, postJson } from './support/http.ts'
import { rawServer } from '../packages/dragoman/src/mcp/raw-server.fixture.ts'
import { wireAgent, wordsOf, type Api } from './support/wire-agent.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: () =>
    toolResult({
      output: 1,
      text: 'A dot.',
      files: [{ mediaType: 'image/png', filename: 'dot.png', content: Buffer.from(PNG, 'base64') }],
    }),
})

it('pictures of tools reach a model over chat completions', async () => {
  await using agent = await wireAgent('chat', { tools: [look] })

  const { bodies } = await agent.ask(wordsOf('chat').call, wordsOf('chat').hello)

  const { messages } = bodies[1] as { messages: object[] }
  expect(messages.slice(-2)).toEqual([
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: expect.stringContaining('A dot.'),
    },
    {
      role: 'user',
      content: [
        { type: 'text', text: '[File: dot.png (image/png). The tool look returned it.]' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
      ],
    },
  ])
})

it.each<Api>(['chat', 'anthropic'])(
  'pictures of a failed MCP tool reach model and page over %s',
  async (api) => {
    const picture = { type: 'image', data: PNG, mimeType: 'image/png' }
    const result = { isError: true, content: [{ type: 'text', text: 'No such button.' }, picture] }
    const shop = rawServer({ list: "{ tools: [tool('look')] }", call: JSON.stringify(result) })
    await using agent = await wireAgent(api, { mcp: { shop }, model: 'first:one' })
    const { call, hello } = wordsOf(api)

    const { log, bodies } = await agent.ask(
      { body: call.body.map((piece) => piece.replace('"name":"look"', '"name":"shop_look"')) },
      hello,
    )

    const files = log.filter(({ type }) => type === 'file')
    expect(files).toMatchObject([{ mediaType: 'image/png' }])
    expect(log).toContainEqual(expect.objectContaining({ type: 'tool.failed', callId: files[0]?.['callId'] }))
    const next = JSON.stringify(bodies[1])
    expect(next).toContain('No such button.')
    expect(next).toContain(PNG)
  },
)

it('ids of calls that a provider refuses become ones that all take', async () => {
  await using agent = await wireAgent('anthropic', { tools: [look] })
  const message = 'Tool call id was toolu_1 but must be a-z, A-Z, 0-9, with a length of 9.'

  const { log, bodies } = await agent.ask(
    wordsOf('anthropic').call,
    { status: 503, body: ['{}'] },
    { status: 400, body: [JSON.stringify({ object: 'error', message })] },
    wordsOf('chat').hello,
  )

  expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
  const id = expect.stringMatching(/^[a-z\d]{9}$/) as string
  const { messages } = bodies[3] as { messages: { tool_calls?: { id: string }[]; tool_call_id?: string }[] }
  const calls = messages.flatMap(({ tool_calls: made = [] }) => made)
  expect(calls).toMatchObject([{ id }])
  expect(messages.flatMap(({ tool_call_id: of }) => of ?? [])).toEqual(calls.map((call) => call.id))
})

it.each<Api>(['chat', 'anthropic', 'google', 'responses'])(
  'no empty text is sent over %s for an agent without instructions and a tool without words',
  async (api) => {
    const bare = tool({ inputSchema: z.object({}), execute: () => 'Done.' })
    await using agent = await wireAgent(api, { instructions: ' ', tools: { bare }, model: 'first:one' })

    const { log, bodies } = await agent.ask(wordsOf(api).hello)

    expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
    expect(JSON.stringify(bodies[0])).toContain('"description":"bare"')
    expect(JSON.stringify(bodies[0])).not.toMatch(/"(?:system|developer|systemInstruction)"|"text":" ?"/)
  },
)

it('roles alternate over chat completions after an answer that failed', async () => {
  await using agent = await wireAgent('chat', { model: 'first:one' })
  const say = async (words: string): Promise<void> => {
    const response = await postJson(
      `${agent.url}/jobs/chat`,
      chatRequest(words, { conversationId: 'roles-alternate' }),
    )
    await response.text()
  }
  const requests = agent.play({ status: 400, body: ['{"error":{"message":"no"}}'] }, wordsOf('chat').hello)
  await say('first')
  await say('second')

  const { messages } = JSON.parse(requests.at(-1)?.body ?? '{}') as { messages: object[] }
  expect(messages.slice(1)).toEqual([{ role: 'user', content: 'first\n\nsecond' }])
})

it.each<Api>(['chat', 'anthropic', 'responses', 'google'])(
  'a tool that the model has made up goes back by a name that all providers take, over %s',
  async (api) => {
    await using agent = await wireAgent(api, { tools: [look] })
    const { call, hello } = wordsOf(api)

    const { bodies } = await agent.ask(
      { body: call.body.map((piece) => piece.replaceAll('"name":"look"', '"name":"functions.look at"')) },
      hello,
    )

    const second = JSON.stringify(bodies[1])
    expect(second).toContain('"functions_look_at"')
    expect(second).not.toContain('"name":"functions.look at"')
  },
)

it.each<Api>(['chat', 'anthropic'])('a result without words is named as such over %s', async (api) => {
  const mute = defineTool({ ...look, execute: () => ' ' })
  await using agent = await wireAgent(api, { tools: [mute] })

  const { bodies } = await agent.ask(wordsOf(api).call, wordsOf(api).hello)

  expect(JSON.stringify(bodies[1])).toContain('The tool returned nothing.')
})
