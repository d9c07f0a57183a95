import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { client } from './support/http.ts'
import { openServer, type TestServer } from './support/server.ts'
import { wireModels, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

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
  const say = async (id: string, ...files: readonly object[]): Promise<string> => {
    wire.play({ body: [...begin, ...text('Seen.'), ...end] })
    const message = { id, role: 'user', parts: [{ type: 'text', text: 'Look.' }, ...files] }
    const body = JSON.parse(JSON.stringify({ id, messages: [message], trigger: 'submit-message' })) as object
    return (await client(server).post('/jobs/chat', JSON.stringify(body))).text()
  }

  it('reaches the model in the provider’s format', async () => {
    expect(await say('one', image, pdf)).toContain('Seen.')

    const { messages } = JSON.parse(wire.requests[0]?.body ?? '{}', withoutMarks) as {
      messages: { role: string; content: object[] }[]
    }
    const { content } = messages.find(({ role }) => role === 'user') ?? {}
    expect(content?.slice(1)).toEqual(shapes[api])
  })

  it('fails the run and is named if the provider does not accept it', async () => {
    const answer = await say('two', file('application/zip', 'AAAA'))

    expect(wire.requests).toEqual([])
    expect(answer).toContain('The model first:one takes no files of the type application/zip.')
  })
})

function withoutMarks(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value
}
