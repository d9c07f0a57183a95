import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { chatRequest, client } from './support/http.ts'
import { openServer } from './support/server.ts'
import { wireModels, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

it.each(['   ', '\n\t', '\u00a0'])('refuses a message of blanks like an empty one: %j', async (message) => {
  provider.play()
  const models = wireModels(provider.url, { first: 'chat' })
  await using server = await openServer({ models, agent: { model: { primary: 'first:one' } } })

  const response = await client(server).post('/jobs/chat', chatRequest(message))

  expect(response.status).toBe(400)
  expect(await response.text()).toContain('The message is empty.')
  expect(provider.requests).toHaveLength(0)
})

const HALF = '\ud83d'

describe.each(wireWords)('over the protocol $api', ({ api, begin, text, end }) => {
  it('sends no half of a character, wherever it comes from', async () => {
    provider.play({ body: [...begin, ...text('Hello'), ...end] })

    const { error } = await askModel(provider.url, api, {
      prompt: [
        { role: 'system', content: `Be brief ${HALF}` },
        { role: 'user', content: [{ type: 'text', text: `cut ${HALF} 🎉` }] },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: `cut ${HALF}` },
            { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: { [HALF]: [`cut ${HALF}`] } },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: 'c1',
              toolName: 'look',
              output: { type: 'text', value: `cut ${HALF}` },
            },
          ],
        },
      ],
    })

    expect(error).toBeUndefined()
    expect(provider.requests[0]?.body).not.toMatch(/\\ud8/i)
    expect(provider.requests[0]?.body).toContain('cut � 🎉')
  })
})
