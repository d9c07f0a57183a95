import { openai } from '@ai-sdk/openai'
import { describe, expect, it } from 'vitest'

import { client } from './support/http.ts'
import { wireAgent, wordsOf, type Api } from './support/wire-agent.ts'
import { events, type Reply } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

const MIB = 1024 * 1024
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Larger than an event may be without it. */
const picture = Buffer.concat([PNG, Buffer.alloc(5 * MIB, 7)])
const content = picture.toString('base64')
const url = `data:image/png;base64,${content}`

const chunk = (delta: object, more: object = {}) =>
  events({ choices: [{ index: 0, delta, finish_reason: null }], ...more } as object)
const chatEnd = events({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] } as object)
const chat: Reply = {
  body: [
    ...chunk({ role: 'assistant', content: '' }),
    ...chunk({ images: [{ type: 'image_url', image_url: { url }, index: 0 }] }),
    ...chatEnd,
  ],
}
const google: Reply = {
  body: events(
    {
      candidates: [
        { content: { role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: content } }] } },
      ],
    } as object,
    { candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }] } as object,
  ),
}
const item = { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: content }
const { begin = [] } = wireWords.find(({ api }) => api === 'responses') ?? {}
const responses: Reply = {
  body: [
    ...begin,
    ...events(
      { type: 'response.output_item.added', output_index: 0, item: { ...item, result: null } } as object,
      { type: 'response.output_item.done', output_index: 0, item } as object,
      {
        type: 'response.completed',
        response: { id: 'resp_1', output: [item], usage: { input_tokens: 1, output_tokens: 1 } },
      } as object,
    ),
  ],
}
const back = { type: 'image_url', image_url: { url } }

describe.each<[Api, Reply, object]>([
  ['chat', chat, back],
  ['google', google, { inlineData: { mimeType: 'image/png', data: content } }],
  ['responses', responses, { type: 'input_image', image_url: url }],
])('a picture of 5 MB that a model makes over %s', (api, reply, form) => {
  it('is stored once, stands in the log by its address, and goes back with the next message', async () => {
    await using agent = await wireAgent(api, {
      tools: api === 'responses' ? { paint: openai.tools.imageGeneration() } : {},
      model: api === 'google' ? 'first:gemini-3-pro-image' : 'first:gpt-5',
    })

    const { log, bodies } = await agent.ask(reply)

    expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
    expect(bodies).toHaveLength(1)
    expect(JSON.stringify(log).length).toBeLessThan(10_000)
    const files = log.filter(({ type }) => type === 'file')
    expect(files).toMatchObject([{ mediaType: 'image/png', kind: 'output' }])
    const stored = await client(agent).get(String(files[0]?.['url']))
    expect(Buffer.from(await stored.arrayBuffer()).equals(picture)).toBe(true)
    if (api === 'responses')
      expect(log).toContainEqual(
        expect.objectContaining({
          type: 'tool.returned',
          callId: files[0]?.['callId'],
          output: { result: files[0]?.['url'] },
        }),
      )

    const next = await agent.askAgain(wordsOf(api).hello)

    expect(contentsOf(next.bodies)).toContainEqual(expect.objectContaining(form))
  })
})

it('is taken out of the text into which a gateway has written it', async () => {
  await using agent = await wireAgent('chat', {})
  const small = `data:image/png;base64,${PNG.toString('base64')}`

  const { log } = await agent.ask({
    body: [...chunk({ content: `Here it is: ![image](${small})` }), ...chatEnd],
  })

  expect(log.filter(({ type }) => type === 'file')).toMatchObject([{ mediaType: 'image/png' }])
  expect(log.filter(({ type }) => type === 'text.delta')).toMatchObject([{ delta: 'Here it is: ' }])
})

it('is its address if the provider gives that, and the words around it stay whole', async () => {
  await using agent = await wireAgent('chat', {})

  const { log } = await agent.ask({
    body: [
      ...chunk({ content: 'Here ' }),
      ...chunk({ images: [{ image_url: 'https://example.com/cat.png' }] }),
      ...chunk({ content: 'it is.' }),
      ...chatEnd,
    ],
  })

  expect(log).toContainEqual(expect.objectContaining({ type: 'file', url: 'https://example.com/cat.png' }))
  const words = log.filter(({ type }) => type === 'text.delta').map(({ delta }) => delta)
  expect(words.join('')).toBe('Here it is.')
})

it.each([
  [
    'annotations',
    chunk({
      annotations: [
        { type: 'url_citation', url_citation: { url: 'https://example.com/a', title: 'A', start_index: 0 } },
        { type: 'url_citation', url: 'https://example.com/b', title: 'B' },
      ],
    }),
  ],
  [
    'search_results and citations',
    chunk(
      { content: ' ' },
      {
        search_results: [{ url: 'https://example.com/a', title: 'A' }],
        citations: ['https://example.com/a', { url: 'https://example.com/b', title: 'B' }],
      },
    ),
  ],
])('makes sources of the %s of chat completions, each once', async (_name, chunks) => {
  await using agent = await wireAgent('chat', {})

  const { log } = await agent.ask({ body: [...chunk({ content: 'Yes.' }), ...chunks, ...chunks, ...chatEnd] })

  const sources = log
    .filter(({ type }) => type === 'source')
    .map(({ url: address, title }) => [address, title])
  expect(sources).toEqual([
    ['https://example.com/a', 'A'],
    ['https://example.com/b', 'B'],
  ])
})

/** All objects in a request that stand in lists. */
function contentsOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return [...value, ...value.flatMap(contentsOf)]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(contentsOf) : []
}
