import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { chatRequest, client } from './support/http.ts'
import { openServer } from './support/server.ts'
import { events, wireModels, wireProvider, type WireProvider } from './support/wire-provider.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const answer = (parts: object[], more: object = {}): string[] =>
  events({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }] } as object)
const page = { type: 'source', url: 'https://a.example/1', title: 'A' }

describe('an answer of Gemini', () => {
  it.each<[string, object[], object, string?]>([
    [
      'a page among odd ones',
      [],
      {
        groundingMetadata: {
          groundingChunks: [
            { web: { uri: null } },
            { brandNew: {} },
            { web: { uri: page.url, title: 'A' } },
            { web: 3 },
          ],
        },
      },
      'The model wire:first sent an event that its package does not understand.',
    ],
    [
      'a file with an address',
      [{ fileData: { mimeType: 'image/png', fileUri: page.url, displayName: 'A' } }],
      {},
    ],
  ])('keeps %s', async (_name, parts, more, warning) => {
    provider.play({ body: answer([{ text: 'Hi' }, ...parts], { ...more, finishReason: 'STOP' }) })

    const { said, parts: all, error, warnings } = await askModel(provider.url, 'google')

    expect({ said, error, warnings }).toEqual({
      said: 'Hi',
      error: undefined,
      warnings: warning === undefined ? [] : [warning],
    })
    expect(all.filter(({ type }) => type === 'source')).toMatchObject([page])
  })

  it.each([{ fileData: { fileUri: 'gs://bucket/a.png' } }, { brandNew: {} }])(
    'names the part %j, which has no place',
    async (part) => {
      provider.play({ body: answer([{ text: 'Hi' }, part], { finishReason: 'STOP' }) })

      const { said, warnings } = await askModel(provider.url, 'google')

      const { host } = new URL(provider.url)
      expect({ said, warnings }).toEqual({
        said: 'Hi',
        warnings: [
          `The model provider at ${host} sent a part of a kind that is not known, which is left out.`,
        ],
      })
    },
  )

  it.each([{ thoughtSignature: 'signed-late' }, { text: '', thoughtSignature: 'signed-late' }])(
    'goes back with the signature that comes after its last call: %j',
    async (signature) => {
      await using server = await openServer({
        models: wireModels(provider.url, { first: 'google' }),
        agent: { model: { primary: 'first:one' } },
      })
      provider.play(
        {
          body: [
            ...answer([{ functionCall: { name: 'look', args: {} } }]),
            ...answer([signature], { finishReason: 'STOP' }),
          ],
        },
        { body: answer([{ text: 'Hello' }], { finishReason: 'STOP' }) },
      )

      const response = await client(server).post(
        '/jobs/chat',
        chatRequest('look, please', { conversationId: 'late' }),
      )
      await response.text()

      expect(provider.requests[1]?.body).toContain('"thoughtSignature":"signed-late"')
    },
  )
})
