import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../packages/dragoman/src/index.ts'
import { client, chatRequest } from './support/http.ts'
import { openServer } from './support/server.ts'
import { wireModels, wireProvider, type Reply } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

const KEY = 'sk-right-1234'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: async () => toolResult({ output: { seen: 1 }, text: 'One seen.' }),
})

/** Two providers of one protocol at one address: `first`, and `second`, which stands in for it. */
async function serverWith(api: string) {
  const wire = await wireProvider()
  const models = wireModels(wire.url, { first: api, second: api }, { key: KEY })
  const model = { primary: 'first:one', fallback: 'second:two' }
  const server = await openServer({ models, tools: [look], agent: { model } })
  return {
    wire,
    /** Asks, and gives the events of the run's log. */
    async ask(...replies: Reply[]): Promise<Record<string, unknown>[]> {
      wire.play(...replies)
      const http = client(server)
      const response = await http.post('/jobs/chat', chatRequest('look, please'))
      await response.text()
      const log = await http.get(`/v1/runs/${response.headers.get('x-run-id')}/events?protocol=native`)
      return (await log.text())
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => JSON.parse(line.slice('data: '.length)) as Record<string, unknown>)
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await wire[Symbol.asyncDispose]()
    },
  }
}

describe.each(wireWords)('over the protocol $api', ({ api, begin, text, end, thoughtAndCall, back }) => {
  const hello: Reply = { body: [...begin, ...text('Hello'), ...end] }

  it('returns the provider’s own data to it in later steps', async () => {
    await using server = await serverWith(api)

    const log = await server.ask({ body: thoughtAndCall }, hello)

    const logText = JSON.stringify(log)
    expect(logText).toContain('Let me look.')
    expect(log).toContainEqual(
      expect.objectContaining({ type: 'tool.called', tool: 'look', input: { at: 1 } }),
    )
    expect(log).toContainEqual(expect.objectContaining({ type: 'tool.returned', text: 'One seen.' }))
    expect(logText).toContain('Hello')
    expect(log.at(-1)).toMatchObject({ type: 'run.finished', usage: { inputTokens: 14, outputTokens: 6 } })
    const [, second] = server.wire.requests
    expect(second?.body).toContain('One seen.')
    for (const own of back) expect(second?.body).toContain(own)
  })

  it('sends no provider data to a fallback of another provider', async () => {
    await using server = await serverWith(api)

    const log = await server.ask({ body: thoughtAndCall }, { status: 503, body: ['{}'] }, hello)

    expect(log.filter(({ type }) => type === 'step.started').map(({ model }) => model)).toEqual([
      'first:one',
      'second:two',
    ])
    expect(log.at(-1)).toMatchObject({ type: 'run.finished' })
    const [, , third] = server.wire.requests
    expect(third?.body).toContain('One seen.')
    expect(third?.body).not.toMatch(/signed-by|sealed-by|rs_1|Let me look/)
  })

  it('merges simultaneous deltas to few log entries', async () => {
    await using server = await serverWith(api)
    const words = Array.from({ length: 200 }, (_, index) => `w${index} `)
    const [first = '', ...others] = words

    const log = await server.ask({
      body: [...begin, ...text(first), ...others.flatMap((word) => more(text(word))), ...end],
    })

    const deltas = log.filter(({ type }) => type === 'text.delta').map(({ delta }) => String(delta))
    expect(deltas.join('')).toBe(words.join(''))
    expect(deltas.length).toBeLessThan(20)
  })
})

/** The piece that goes on with a text that has begun. */
function more(lines: readonly string[]): readonly string[] {
  return lines.slice(-1)
}

it('reports a failed request without the key', async () => {
  await using server = await serverWith('anthropic')
  const refusal: Reply = {
    status: 401,
    body: [JSON.stringify({ error: { type: 'authentication_error', message: `No: ${KEY}` } })],
  }

  const log = await server.ask(refusal, refusal)

  expect(log.at(-1)).toMatchObject({
    type: 'run.failed',
    failure: {
      code: 'model-unauthorized',
      message:
        'The model provider refused the key for first:one. Check WIRE_KEY. The provider says: No: [key].',
      retryable: false,
    },
  })
  expect(JSON.stringify(log)).not.toContain(KEY)
})
