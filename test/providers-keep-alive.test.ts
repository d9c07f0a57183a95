import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const IDLE_SECONDS = 0.4

describe.each(wireWords)('over the protocol $api', ({ api, begin, text, end }) => {
  it.each([
    ['comments', ': PROCESSING\n\n'],
    ['pings', 'event: ping\ndata: {"type": "ping"}\n\n'],
    ['empty events', 'data: {}\n\n'],
    ['blank lines', '\n'],
  ])('%s keep a call alive that says nothing else', async (_name, beat) => {
    const beats = Array.from({ length: 12 }, () => beat)
    provider.play({ body: [...begin, ...beats, ...text('late'), ...end], pauseMs: 100 })

    const { said, error } = await askModel(provider.url, api, {
      provider: { timeout: IDLE_SECONDS },
      retries: 3,
    })

    expect({ said, error }).toEqual({ said: 'late', error: undefined })
    expect(provider.requests).toHaveLength(1)
  })

  it('a call without a byte is cut off', async () => {
    provider.play({ body: [...begin, ...text('Hel')], after: 'silence' })

    const { error } = await askModel(provider.url, api, { provider: { timeout: IDLE_SECONDS } })

    expect(error).toMatchObject({ code: 'timed-out' })
  })
})
