import { expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../packages/dragoman/src/index.ts'
import { wireAgent, wordsOf, type Api } from './support/wire-agent.ts'
import type { Reply } from './support/wire-provider.ts'

type Body = Record<string, unknown>
const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: () => 'One seen.',
})
const refusal = (error: unknown, status = 400): Reply => ({ status, body: [JSON.stringify(error)] })
const refusalOf = (message: string): Reply => refusal({ error: { message, type: 'invalid_request_error' } })

/** What the provider got: the request that it refused, the one that it took, and the next one. */
async function askTwice(api: Api, refused: Reply, agent: object = {}): Promise<[Body, Body, Body]> {
  await using wire = await wireAgent(api, { tools: [look], model: 'first:one', ...agent })
  const { hello } = wordsOf(api)
  const first = await wire.ask(refused, hello)
  expect(first.log.at(-1)).toMatchObject({ type: 'run.finished' })
  expect(first.log.filter(({ type }) => type === 'step.started')).toHaveLength(1)
  const [one = {}, two = {}] = first.bodies
  const [three = {}] = (await wire.ask(hello)).bodies
  return [one, two, three]
}

it.each<[string, Api, Reply]>([
  ['cache_control', 'anthropic', refusalOf('cache_control: Extra inputs are not permitted')],
  ['stream_options', 'chat', refusalOf('Unrecognized request argument supplied: stream_options')],
  [
    'stream_options',
    'chat',
    refusal(
      {
        message: {
          detail: [
            { loc: ['body', 'stream_options', 'include_usage'], msg: 'Extra inputs are not permitted' },
          ],
        },
      },
      422,
    ),
  ],
  ['include', 'responses', refusalOf("Unknown parameter: 'include'.")],
  ['store', 'responses', refusalOf("Unknown parameter: 'store'.")],
])('a field that a provider refuses is left out from then on: %s over %s', async (field, api, refused) => {
  const agent = field === 'include' ? { model: 'first:o5' } : {}
  const [one, two, three] = await askTwice(api, refused, agent)

  const name = `"${field}"`
  expect(JSON.stringify(one)).toContain(name)
  for (const body of [two, three]) expect(JSON.stringify(body)).not.toContain(name)
})

it('only the host of Claude itself is asked to stream the input of calls early', async () => {
  await using wire = await wireAgent('anthropic', { tools: [look], model: 'first:claude-opus-9' })

  const { bodies } = await wire.ask(wordsOf('anthropic').hello)

  expect(JSON.stringify(bodies)).not.toContain('eager_input_streaming')
})

it('a model that takes max_completion_tokens gets them so', async () => {
  const refused = refusalOf("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
  const [, ...bodies] = await askTwice('chat', refused, {
    model: { primary: 'first:one', maxOutputTokens: 700 },
  })

  for (const body of bodies) {
    expect(body).toMatchObject({ max_completion_tokens: 700 })
    expect(body).not.toHaveProperty('max_tokens')
  }
})

it.each<[Api, string, number]>([
  ['anthropic', 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens', 8192],
  ['chat', 'max_tokens is too large: 90000. This model supports at most 16,384 completion tokens.', 16_384],
  ['chat', 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]', 8192],
])('a model that names its maximum is asked for no more, over %s: %s', async (api, words, maximum) => {
  const settings = api === 'chat' && { model: { primary: 'first:one', maxOutputTokens: 90_000 } }
  const [one, ...bodies] = await askTwice(api, refusalOf(words), settings || {})

  expect(one['max_tokens']).toBe(api === 'chat' ? 90_000 : 32_000)
  for (const body of bodies) expect(body).toMatchObject({ max_tokens: maximum })
})

it('thoughts that a model said are not given back if it refuses them, and it thinks all the same', async () => {
  const model = { primary: 'first:one', thinking: 'high' } as const
  await using wire = await wireAgent('chat', { tools: [look], model })
  const { call, hello } = wordsOf('chat')

  const { log, bodies } = await wire.ask(
    call,
    refusalOf("property 'reasoning_content' is unsupported"),
    hello,
  )

  expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
  expect(JSON.stringify(bodies[1])).toContain('reasoning_content')
  expect(JSON.stringify(bodies[2])).not.toContain('reasoning_content')
  expect(bodies[2]).toMatchObject({ reasoning_effort: 'high' })
})

it('a tool’s own fields stay, whatever their names', async () => {
  const inputSchema = z.object({ at: z.number(), stream_options: z.string().optional() })
  const tool = defineTool({ ...look, inputSchema, execute: () => 'One seen.' })
  const [, two] = await askTwice('chat', refusalOf('stream_options is not supported'), { tools: [tool] })

  expect(two).not.toHaveProperty('stream_options')
  expect(JSON.stringify(two['tools'])).toContain('"stream_options"')
})

it('thoughts that must come back do', async () => {
  await using wire = await wireAgent('chat', { tools: [look], model: 'first:one' })
  const words = 'The `reasoning_content` in the thinking mode must be passed back to the API.'

  const { log, bodies } = await wire.ask(wordsOf('chat').call, refusalOf(words), wordsOf('chat').hello)

  expect(log.at(-1)).toMatchObject({ type: 'run.failed' })
  expect(bodies).toHaveLength(2)
})

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = defineTool({
  ...look,
  execute: () => {
    const file = { mediaType: 'image/png', filename: 'dot.png', content: Buffer.from(PNG, 'base64') }
    return toolResult({ output: 1, text: 'A dot.', files: [file] })
  },
})
const rolesOf = ({ messages }: Body): string =>
  (messages as { role: string }[]).map(({ role }) => role).join()

it.each(['mistral-small-latest', 'mistralai/Devstral-2'])(
  'the model answers after a tool before the user says more: %s',
  async (model) => {
    await using wire = await wireAgent('chat', { tools: [picture], model: `first:${model}` })

    const { bodies } = await wire.ask(wordsOf('chat').call, wordsOf('chat').hello)

    expect(rolesOf(bodies[1] ?? {})).toBe('system,user,assistant,tool,assistant,user')
  },
)

it('the model answers after a tool before the user says more if it must', async () => {
  await using wire = await wireAgent('chat', { tools: [picture], model: 'first:one' })
  const { call, hello } = wordsOf('chat')
  const strict = "Unexpected role 'user' after role 'tool'"

  const { log, bodies } = await wire.ask(call, refusalOf(strict), hello)

  expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
  expect(bodies.slice(1).map(rolesOf)).toEqual([
    'system,user,assistant,tool,user',
    'system,user,assistant,tool,assistant,user',
  ])
  await wire.ask(call, hello)
  expect(rolesOf((await wire.ask(call, hello)).bodies[1] ?? {})).toContain('tool,assistant,user')
})

const tools = Array.from({ length: 40 }, (_, index) => defineTool({ ...look, name: `look${index}` }))

it('a provider that takes fewer tools gets the first ones', async () => {
  const words =
    "Invalid 'tools': array too long. Expected an array with maximum length 32, but got 40 instead."

  const [one, two, three] = await askTwice('chat', refusalOf(words), { tools })

  expect([one, two, three].map((body) => (body['tools'] as unknown[]).length)).toEqual([40, 32, 32])
})

it('a provider that takes shorter descriptions gets their beginnings', async () => {
  const words = "Invalid 'tools[0].function.description': string too long. Expected a maximum length of 1024."

  const [, ...bodies] = await askTwice('chat', refusalOf(words), {
    tools: [defineTool({ ...look, description: 'x'.repeat(3000) })],
  })

  for (const body of bodies) {
    const [tool] = body['tools'] as [{ function: { description: string } }]
    expect(tool.function.description).toHaveLength(1024)
    expect(tool.function.description).toMatch(/^x+ \[…\]$/)
  }
})

it('a call gets the tool’s own names, whatever the model was told and wrote around them', async () => {
  const inputs: unknown[] = []
  const inputSchema = z.object({ at: z.number().optional(), 'ids[]': z.string().optional() })
  const own = defineTool({ ...look, inputSchema, execute: (input) => void inputs.push(input) })
  await using wire = await wireAgent('anthropic', { tools: [own], model: 'first:one' })
  const { call, hello } = wordsOf('anthropic')
  const [request = {}] = (await wire.ask(hello)).bodies
  const [name = ''] = /ids__\w+/.exec(JSON.stringify(request['tools'])) ?? []
  const body = call.body.map((piece) =>
    piece
      .replace('"name":"look"', String.raw`"name":" look\n"`)
      .replace('{\\"at\\":', `{\\"${name}\\":\\"a\\",\\"at\\":`),
  )

  const { log } = await wire.ask({ body }, hello)

  expect(inputs).toEqual([{ at: 1, 'ids[]': 'a' }])
  expect(log).toContainEqual(expect.objectContaining({ type: 'tool.called', tool: 'look' }))
})
