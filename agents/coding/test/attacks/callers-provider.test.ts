import { describe, expect, it } from 'vitest'

import { codingServer } from '../support/coding.ts'
import { framesOf, reading } from '../../../../test/support/event-stream.ts'
import { floodingProvider } from '../../../../test/support/flooding-provider.ts'

const piece = 'x'.repeat(1 << 16)
const words = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: piece } }] })}\n\n`

describe('an endless provider of the caller', () => {
  it.each([
    { what: 'its words', status: 200, head: '', body: words, code: 'too-large', message: 'bytesPerRun' },
    {
      what: 'a line',
      status: 200,
      head: 'data: ',
      body: piece,
      code: 'model-refused',
      message: 'more than can be taken in',
    },
    {
      what: 'a failure',
      status: 400,
      head: '',
      body: piece,
      code: 'model-refused',
      message: 'with status 400',
    },
  ])('is read up to a limit: $what', async ({ status, head, body, code, message }) => {
    await using provider = await floodingProvider({ status, head: [head], piece: body })
    const { post, root } = await codingServer({ flags: ['--private-host', provider.host] })

    const answer = await post('/api/agent-chat', {
      message: 'go',
      workDir: root,
      llmConfig: { model: 'm', apiKey: 'k', baseUrl: `http://${provider.host}` },
    })
    const frames = framesOf(await reading(answer).whole())

    expect(frames.find(({ type }) => type === 'error')).toMatchObject({
      error: expect.stringContaining(message),
      code,
    })
    expect(provider.byteCount()).toBeLessThan(64 * 1024 * 1024)
  })
})
