import { tool as toolOf7 } from 'ai'
import { tool as toolOf5 } from 'ai-5-0-277'
import { tool as toolOf6 } from 'ai-6-0-326'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineAgent, defineTool, toolResult, type AgentTools } from '../agents/index.ts'
import { customEngine } from '../engine/custom/index.ts'
import type { RunEvent } from '../events/index.ts'
import { toolCall } from '../testing/script.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { testServer } from '../testing/test-server.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
const data = png.toString('base64')
const inputSchema = z.object({})
const execute = () => 'shot'
const words = { type: 'text', text: 'Here:' } as const
const shot = { description: 'A picture.', inputSchema, execute }

const tools: readonly (readonly [string, AgentTools])[] = [
  [
    'a tool of AI SDK 5',
    {
      shot: toolOf5({
        ...shot,
        toModelOutput: () => ({
          type: 'content',
          value: [words, { type: 'media', data, mediaType: 'image/jpeg' }],
        }),
      }),
    },
  ],
  [
    'a tool of AI SDK 6',
    {
      shot: toolOf6({
        ...shot,
        toModelOutput: () => ({
          type: 'content',
          value: [words, { type: 'image-data', data, mediaType: 'image/png' }],
        }),
      }),
    },
  ],
  [
    'a tool of AI SDK 7',
    {
      shot: toolOf7({
        ...shot,
        toModelOutput: () => ({
          type: 'content',
          value: [words, { type: 'file', data: { type: 'data', data: png }, mediaType: 'image' }],
        }),
      }),
    },
  ],
  [
    'a tool that returns files',
    [
      defineTool({
        name: 'shot',
        ...shot,
        execute: () =>
          toolResult({ output: 'shot', text: 'Here:', files: [{ mediaType: 'image/png', content: png }] }),
      }),
    ],
  ],
]

describe('a picture of', () => {
  it.each(tools)('%s reaches the model and the page, and is stored once', async (_what, own) => {
    const model = scriptedModel([toolCall('shot', {}), 'Seen.', 'Again.'])
    const bot = defineAgent({ id: 'bot', instructions: 'Be brief.', model, tools: own })
    await using server = await testServer({ agents: [bot] })
    const { events, threadId, status, toolCalls } = await server.send('bot', 'Take one.')

    expect(status).toBe('finished')
    expect(toolCalls).toMatchObject([{ toolName: 'shot', output: 'shot' }])
    const file = events.find((event): event is RunEvent & { type: 'file' } => event.type === 'file')
    expect(file).toMatchObject({ mediaType: 'image/png', kind: 'output', callId: expect.any(String) })
    expect(JSON.stringify(events)).not.toContain(data)
    const stored = await server.fetch(file?.url ?? '')
    expect(stored.headers.get('content-type')).toBe('image/png')
    expect(Buffer.from(await stored.arrayBuffer())).toEqual(png)

    await server.send('bot', 'Once more.', { threadId })
    for (const prompt of model.prompts.slice(1)) {
      const result = prompt.find(({ role }) => role === 'tool')?.content[0]
      expect(result).toMatchObject({
        output: {
          type: 'content',
          value: [
            { type: 'text', text: expect.stringMatching(/^Here:[^]*\[File: image\/png, \/v1\/files\/file_/) },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
          ],
        },
      })
    }
  })

  it('a tool follows its outcome for a model object of chat completions', async () => {
    const model = scriptedModel([toolCall('shot', {}), 'Seen.'], { provider: 'acme.chat' })
    const [, own = []] = tools.at(-1) ?? []
    const bot = defineAgent({ id: 'bot', instructions: 'Be brief.', model, tools: own })
    await using server = await testServer({ agents: [bot] })
    await server.send('bot', 'Take one.')

    const [result, picture] = model.prompts[1]?.slice(-2) ?? []
    expect(result?.content[0]).toMatchObject({
      output: { type: 'text', value: expect.stringMatching(/^Here:\n/) },
    })
    expect(picture).toMatchObject({ role: 'user', content: [{ type: 'text' }, { mediaType: 'image/png' }] })
  })
})

describe('a file of a tool that is not as its types demand', () => {
  it.each<[what: string, files: unknown, line: RegExp]>([
    ['a text as content', [{ content: 'a,b', filename: 'a.csv' }], /^\[File: a\.csv, \/v1\/files\//],
    ['no type', [{ content: png }], /^\[File: application\/octet-stream, \/v1\/files\//],
    ['no content', [{ mediaType: 'image/png' }], /^\[File: image\/png was not kept\. Its content is no/],
    ['no list', 'x', /^\[File: application\/octet-stream was not kept\./],
  ])('is kept, or named: %s', async (_, files, line) => {
    const model = scriptedModel([toolCall('shot', {}), 'Seen.'])
    const own = defineTool({
      ...shot,
      name: 'shot',
      execute: () => ({ ...toolResult({ output: 1, text: '' }), files }),
    })
    const bot = defineAgent({ id: 'bot', instructions: 'Be brief.', model, tools: [own] })
    await using server = await testServer({ agents: [bot] })
    await server.send('bot', 'Take one.')

    const [result] = model.prompts[1]?.slice(-1) ?? []
    expect(JSON.stringify(result?.content)).toMatch(new RegExp(line.source.slice(1)))
  })
})

describe('a picture of a user', () => {
  it('can be read by an engine of one’s own', async () => {
    const engine = customEngine(async function* ({ history, readFile }) {
      const [part] = history.at(-1)?.parts ?? []
      if (part?.type === 'file') yield `${part.url.slice(0, 15)} ${(await readFile(part.url)).length}`
    })
    const bot = defineAgent({ id: 'bot', instructions: 'Be brief.', engine, tools: [] })
    await using server = await testServer({ agents: [bot] })
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' }
      return (await server.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })).text()
    }
    const { id } = JSON.parse(await post('/v1/threads', { agent: 'bot' })) as { id: string }
    const url = `data:image/png;base64,${data}`

    expect(
      await post(`/v1/threads/${id}/runs`, { parts: [{ type: 'file', mediaType: 'image/png', url }] }),
    ).toContain('/v1/files/file_ 12')
  })
})
