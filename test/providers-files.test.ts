import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { documentOf } from '../packages/dragoman/src/models/docx.fixture.ts'
import { client } from './support/http.ts'
import { openServer, type TestServer } from './support/server.ts'
import { wireModels, wireProvider, type Reply, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PDF = 'JVBERi0xLjQKJSVFT0Y='
const file = (mediaType: string, data: string) => ({
  type: 'file',
  mediaType,
  url: `data:${mediaType};base64,${data}`,
})
const image = file('image/png', PNG)
const pdf = { ...file('application/pdf', PDF), filename: 'cv.pdf' }

/** How each provider has a file in its request. */
const shapes: Readonly<Record<string, readonly unknown[]>> = {
  anthropic: [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
    {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: PDF },
      title: 'cv.pdf',
    },
  ],
  chat: [
    { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
    { type: 'file', file: { filename: 'cv.pdf', file_data: `data:application/pdf;base64,${PDF}` } },
  ],
}
const apis = wireWords.filter(({ api }) => api in shapes)

describe.each(apis)('a user’s file over the protocol $api', ({ api, begin, text, end }) => {
  let wire: WireProvider
  let server: TestServer
  beforeAll(async () => {
    wire = await wireProvider()
    const models = wireModels(wire.url, { first: api })
    server = await openServer({ models, agent: { model: { primary: 'first:one', fallback: 'first:one' } } })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await wire[Symbol.asyncDispose]()
  })
  /** Says it in a conversation of its own, and gives the answer's bytes. */
  const reply = { body: [...begin, ...text('Seen.'), ...end] }
  const say = async (
    id: string,
    files: readonly object[],
    replies: readonly Reply[] = [reply],
  ): Promise<string> => {
    wire.play(...replies)
    const message = { id, role: 'user', parts: [{ type: 'text', text: 'Look.' }, ...files] }
    const body = JSON.parse(JSON.stringify({ id, messages: [message], trigger: 'submit-message' })) as object
    return (await client(server).post('/jobs/chat', JSON.stringify(body))).text()
  }

  it('reaches the model in the provider’s format', async () => {
    expect(await say('one', [image, pdf])).toContain('Seen.')

    const { messages } = JSON.parse(wire.requests[0]?.body ?? '{}', withoutMarks) as {
      messages: { role: string; content: object[] }[]
    }
    const { content } = messages.find(({ role }) => role === 'user') ?? {}
    expect(content?.slice(1)).toEqual(shapes[api])
  })

  it('is named to the model if the provider does not accept it', async () => {
    expect(await say('two', [{ ...file('application/zip', 'AAAA'), filename: 'a.zip' }])).toContain('Seen.')

    expect(wire.requests[0]?.body).toContain(
      '[File: a.zip (application/zip). This model does not take such files',
    )
  })

  it('keeps to the limits, however often a message names it', async () => {
    const words = documentOf('<w:t>a'.repeat(1_200_000)).toString('base64')
    const files = [file(DOCX, words), image, file('text/csv', Buffer.alloc(500_000, 'b').toString('base64'))]

    expect(await say('four', Array.from({ length: 16 }, () => files).flat())).toContain('Seen.')

    const { body } = wire.requests[0] ?? { body: '' }
    expect(body.length).toBeLessThan(1.2 * 1024 * 1024)
    expect(body.split(PNG)).toHaveLength(17)
    expect(body).toContain('The rest of the file was left out')
  })

  it('is refused if a message has more than 50', async () => {
    const answer = await say(
      'five',
      Array.from({ length: 51 }, () => image),
    )

    expect(answer).toContain('a message may have at most 50 files, and this one has 51')
    expect(wire.requests).toEqual([])
  })

  it('is named to the model if its server refuses it', async () => {
    const refusal = { error: { type: 'invalid_request_error', message: 'image input is not supported' } }
    const replies = [{ status: 400, body: [JSON.stringify(refusal)] }, reply]

    expect(await say('three', [image], replies)).toContain('Seen.')
    expect(wire.requests.at(-1)?.body).toContain('image input is not supported')
  })
})

function withoutMarks(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value
}
