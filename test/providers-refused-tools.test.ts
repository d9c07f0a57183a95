import { expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../packages/dragoman/src/index.ts'
import { wireAgent, wordsOf, type Api } from './support/wire-agent.ts'
import type { Reply } from './support/wire-provider.ts'

type Body = Record<string, unknown>
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: () => 'One seen.',
})
const odd = defineTool({
  name: 'odd',
  description: 'Is odd.',
  inputSchema: z.object({ when: z.iso.date().describe('The day.'), size: z.tuple([z.number()]).optional() }),
  execute: () => 'Odd.',
})
const refusalOf = (message: string): Reply => ({
  status: 400,
  body: [JSON.stringify({ error: { message, type: 'invalid_request_error' } })],
})

/** The words of each provider for a tool that it refuses, by the place of the tool or by its name. */
const REFUSALS: readonly (readonly [Api, string])[] = [
  [
    'anthropic',
    'tools.1.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12',
  ],
  [
    'responses',
    "Invalid schema for function 'odd': In context=('properties', 'size'), array schema missing items.",
  ],
  ['chat', 'Invalid tool: `odd` has a schema with unsupported keywords'],
  [
    'google',
    '* GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[size].items: missing field.',
  ],
]

const toolsOf = (body: Body = {}): string => JSON.stringify(body['tools'])

it.each(REFUSALS)('over %s, a tool that is refused is sent with a plain schema', async (api, words) => {
  await using wire = await wireAgent(api, { tools: [look, odd], model: 'first:one' })
  const { hello } = wordsOf(api)

  const { log, bodies } = await wire.ask(refusalOf(words), hello)
  const [next] = (await wire.ask(hello)).bodies

  expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
  expect(toolsOf(bodies[0])).toContain('"format":"date"')
  for (const body of [bodies[1], next]) {
    expect(toolsOf(body)).not.toMatch(/format|prefixItems/)
    expect(toolsOf(body)).toMatch(/"when":\{"type":"string","description":"The day\."\}/)
  }
})

it.each(REFUSALS)(
  'over %s, a tool that is refused again is left out, and the others stay',
  async (api, words) => {
    await using wire = await wireAgent(api, { tools: [look, odd], model: 'first:one' })
    const { hello } = wordsOf(api)

    const { log, bodies } = await wire.ask(refusalOf(words), refusalOf(words), hello)
    const [next] = (await wire.ask(hello)).bodies

    expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
    for (const body of [bodies[2], next]) {
      expect(toolsOf(body)).toContain('"look"')
      expect(toolsOf(body)).not.toContain('"odd"')
    }
  },
)

it('many tools that are refused cost themselves alone', async () => {
  const tools = Array.from({ length: 12 }, (_, index) => defineTool({ ...odd, name: `odd${index}` }))
  await using wire = await wireAgent('chat', { tools: [look, ...tools], model: 'first:one' })
  const refusals = tools.map(({ name }) => refusalOf(`Invalid schema for function '${name}'.`))

  const { log, bodies } = await wire.ask(...refusals, wordsOf('chat').hello)

  expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
  expect(toolsOf(bodies.at(-1))).toContain('"odd11"')
  expect(toolsOf(bodies.at(-1))).not.toContain('format')
})

it('a template that takes one call in an answer gets each as an answer of its own', async () => {
  await using wire = await wireAgent('chat', { tools: [look], model: 'first:one' })
  const { hello } = wordsOf('chat')
  const calls = [0, 1].map((index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'look', arguments: `{"at":${index}}` },
  }))
  const chunk = {
    choices: [{ index: 0, delta: { content: 'I look.', tool_calls: calls }, finish_reason: 'tool_calls' }],
  }

  const { log, bodies } = await wire.ask(
    { body: [`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`] },
    refusalOf('This model only supports single tool-calls at once!'),
    hello,
  )

  expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
  const { messages } = bodies[2] as { messages: { role: string; content: unknown; tool_calls?: Body[] }[] }
  expect(messages.slice(2)).toMatchObject([
    { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'call_0' }] },
    { role: 'tool', tool_call_id: 'call_0', content: 'One seen.' },
    { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
    { role: 'tool', tool_call_id: 'call_1', content: 'One seen.' },
  ])
})
