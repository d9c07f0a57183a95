import * as ai from 'ai'
import { describe, expect, it } from 'vitest'

import { says, scriptedModel, step, type Act } from '../support/scripted-model.ts'
import { useServer } from '../support/use-server.ts'
import { builds, historyOf, openChat, type ChatMessage } from './sdk-chat.ts'

const page = {
  type: 'source',
  sourceType: 'url',
  id: 's1',
  url: 'https://example.com/a',
  title: 'A',
} as const
const paper = {
  type: 'source',
  sourceType: 'document',
  id: 's2',
  mediaType: 'application/pdf',
  title: 'B',
  filename: 'b.pdf',
} as const
const call = { toolCallId: 'w1', toolName: 'web_search' } as const
const found = { hits: [{ url: 'https://example.com/a' }] }
/** A search of the provider, a part that only it understands, a text and its sources. */
const answer: readonly Act[] = [
  { type: 'tool-input-start', id: 'w1', toolName: 'web_search', providerExecuted: true },
  { type: 'tool-input-end', id: 'w1' },
  { type: 'tool-call', ...call, input: '{"query":"a"}', providerExecuted: true },
  { type: 'tool-result', ...call, result: found, providerMetadata: { scripted: { itemId: 'i2' } } },
  { type: 'custom', kind: 'scripted.compaction', providerMetadata: { scripted: { content: 'abc' } } },
]
const script = [step(answer, says('It is so.'), [page, paper]), step(says('Bye.'))]

const parts = [
  { type: 'step-start' },
  {
    type: 'tool-web_search',
    toolCallId: expect.any(String) as string,
    state: 'output-available',
    input: { query: 'a' },
    providerExecuted: true,
  },
  { type: 'custom', kind: 'scripted.compaction', providerMetadata: { scripted: { content: 'abc' } } },
  { type: 'text', text: 'It is so.', state: 'done' },
  { type: 'source-url', sourceId: 's1', url: 'https://example.com/a', title: 'A' },
  {
    type: 'source-document',
    sourceId: 's2',
    mediaType: 'application/pdf',
    title: 'B',
    filename: 'b.pdf',
  },
  // Clients that submit after tool calls see that nothing is left to do.
  { type: 'step-start' },
]

describe('what a model’s provider adds to an answer', () => {
  const model = scriptedModel()
  const server = useServer({ models: model.models })

  it('reaches the newest client, its history and the next request', async () => {
    model.play(script)
    const chat = openChat(ai, { url: server.url, id: 'sourced', profile: 'v7' })
    await chat.sendMessage({ text: 'Is it so?' })

    expect(chat.error).toBeUndefined()
    expect(chat.messages[1]?.parts).toMatchObject(parts)
    const history = await historyOf(server.url, 'sourced', '/jobs/chat')
    const valid = await ai.validateUIMessages({ messages: history.messages })
    expect(JSON.stringify(await ai.convertToModelMessages(valid))).toContain('web_search')

    await chat.sendMessage({ text: 'Thanks.' })
    const assistant = model.prompts[1]?.find(({ role }) => role === 'assistant')
    expect(assistant?.content).toMatchObject([
      { type: 'tool-call', toolCallId: 'w1', input: { query: 'a' }, providerExecuted: true },
      {
        type: 'tool-result',
        toolCallId: 'w1',
        output: { type: 'json', value: found },
        providerOptions: { scripted: { itemId: 'i2' } },
      },
      { type: 'custom', kind: 'scripted.compaction', providerOptions: { scripted: { content: 'abc' } } },
      { type: 'text', text: 'It is so.' },
    ])
    expect(model.prompts[1]?.some(({ role }) => role === 'tool')).toBe(false)
  })

  it('shows a failed call of the provider as failed, and one without a result as unknown', async () => {
    const lost = { ...call, toolCallId: 'w2' }
    model.play([
      step(
        [
          { type: 'tool-call', ...call, input: '{}', providerExecuted: true },
          { type: 'tool-result', ...call, result: { errorCode: 'unavailable' }, isError: true },
          { type: 'tool-call', ...lost, input: '{}', providerExecuted: true },
        ],
        says('No.'),
      ),
    ])
    const chat = openChat(ai, { url: server.url, id: 'failed-search', profile: 'v7' })
    await chat.sendMessage({ text: 'Is it so?' })

    expect(chat.messages[1]?.parts.filter((part) => 'toolCallId' in part)).toMatchObject([
      { state: 'output-error', errorText: '{"errorCode":"unavailable"}', providerExecuted: true },
      { state: 'output-error', errorText: 'The provider of the model reported no result of this call.' },
    ])
    expect(model.prompts).toHaveLength(1)
  })

  it('stores what a model draws once, and shows it to its owner alone', async () => {
    const png = Buffer.from('89504e470d0a1a0a', 'hex')
    const data = { type: 'data', data: png.toString('base64') } as const
    const drawn = [
      { type: 'file', mediaType: 'image/png', data },
      { type: 'reasoning-file', mediaType: 'image/png', data },
      { type: 'file', mediaType: 'text/html', data: { type: 'data', data: Buffer.from('<script>') } },
    ] as const
    model.play([step(drawn, says('There.')), step(says('Bye.'))])
    const chat = openChat(ai, { url: server.url, id: 'drawn', profile: 'v7' })
    await chat.sendMessage({ text: 'Draw.' })

    expect(chat.error).toBeUndefined()
    const [, picture, thought, html] = chat.messages[1]?.parts ?? []
    expect(picture).toMatchObject({ type: 'file', mediaType: 'image/png' })
    expect(thought).toMatchObject({ type: 'reasoning-file', url: (picture as { url: string }).url })
    const history = await historyOf(server.url, 'drawn')
    expect(history.messages[1]?.parts).toMatchObject([
      {},
      picture ?? {},
      { type: 'file', mediaType: 'text/html' },
      {},
    ])

    const read = async (part: unknown) => fetch(new URL((part as { url: string }).url, server.url))
    const response = await read(picture)
    expect(Buffer.from(await response.arrayBuffer())).toEqual(png)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    const download = await read(html)
    expect(download.headers.get('content-type')).toBe('application/octet-stream')
    expect(download.headers.get('content-disposition')).toContain('attachment')
    expect((await fetch(`${server.url}/v1/files/file_unknown`)).status).toBe(404)

    await chat.sendMessage({ text: 'Thanks.' })
    const assistant = model.prompts[1]?.find(({ role }) => role === 'assistant')
    expect(assistant?.content).toMatchObject([
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
      { type: 'reasoning-file' },
      { type: 'file', mediaType: 'text/html' },
      { type: 'text' },
    ])
  })

  it.each(Object.entries(builds))('reaches the AI SDK client %s', async (build, load) => {
    model.play(script)
    const chat = openChat(await load(), { url: server.url, id: `sourced-${build}` })
    await chat.sendMessage({ text: 'Is it so?' })

    expect(chat.error).toBeUndefined()
    const types = (chat.messages[1] as ChatMessage).parts.map(({ type }) => type)
    expect(types).toEqual(expect.arrayContaining(['source-url', 'source-document', 'tool-web_search']))
  })

  it('stands in the exported conversation', async () => {
    const response = await server.fetch(new Request(`${server.url}/v1/threads?limit=50`))
    const { threads } = (await response.json()) as { threads: { id: string; title: string }[] }
    const texts = await Promise.all(
      threads.map(async ({ id }) =>
        (await fetch(`${server.url}/v1/threads/${id}/export?format=markdown`)).text(),
      ),
    )

    expect(texts.join('\n')).toContain('*Source:* A `https://example.com/a`')
  })
})
