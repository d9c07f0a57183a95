import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../packages/dragoman/src/index.ts'
import { createModels, modelsFileSchema } from '../packages/dragoman/src/models/index.ts'
import { client, chatRequest } from './support/http.ts'
import { openServer, type ServerOptions } from './support/server.ts'
import { wireWords, type WireWords } from './support/wire-words.ts'

/** How each provider refuses a request that is too long. */
const refusals: Readonly<Record<string, object>> = {
  chat: {
    error: {
      message:
        "This model's maximum context length is 6000 tokens. Please reduce the length of the messages.",
      code: 'context_length_exceeded',
    },
  },
  responses: {
    error: {
      message: 'Your input exceeds the context window of this model.',
      code: 'context_length_exceeded',
    },
  },
  anthropic: {
    type: 'error',
    error: { type: 'invalid_request_error', message: 'prompt is too long: 213462 tokens > 6000 maximum' },
  },
  google: {
    error: {
      code: 400,
      message: 'The input token count (7000) exceeds the maximum number of tokens allowed (6000).',
      status: 'INVALID_ARGUMENT',
    },
  },
}

/**
 * A provider whose model reads so many tokens. `requests` are the bodies that it has read; the refused ones are
 * counted.
 */
async function providerWithWindow(words: WireWords, tokens: number) {
  const { api, begin, end } = words
  const requests: string[] = []
  let refused = 0
  const answers: (readonly string[])[] = []
  const server = createServer((request, response) => {
    text(request).then(
      (body) => answer(body, response),
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  const answer = (body: string, response: ServerResponse): void => {
    if (body.length / 4 > tokens) {
      refused += 1
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify(refusals[api]))
      return
    }
    requests.push(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end((answers.shift() ?? [...begin, ...words.text('Hello'), ...end]).join(''))
  }
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    answers,
    get refused() {
      return refused
    },
  }
}

function modelsAt(url: string, api: string, contextWindow?: number) {
  const model = { provider: 'wire', model_name: 'm', ...(contextWindow && { context_window: contextWindow }) }
  const file = modelsFileSchema.parse({ providers: { wire: { base_url: url, api } }, models: { m: model } })
  return createModels({ env: {}, offlinePace: 0, file })
}

const WINDOW = 6000
const NOTE = 'older parts of this conversation were left out'
const turn = (index: number) => `Turn ${index}. ${'word '.repeat(400)}`

describe.each(wireWords)('a thread longer than the model’s window ($api)', (words) => {
  const ask = async (url: string, contextWindow?: number) => {
    const model = await modelsAt(url, words.api, contextWindow)
      .choose({ primary: 'wire:m', fallback: 'wire:m', retries: 3 })
      .load()
    const longTurns = Array.from({ length: 30 }, (_, index) => [
      { role: 'user' as const, content: [{ type: 'text' as const, text: turn(index) }] },
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: `Answer ${index}.` }] },
    ]).flat()
    const { stream } = await model.doStream({
      prompt: [
        { role: 'system', content: 'You are tested.' },
        ...longTurns,
        { role: 'user', content: [{ type: 'text', text: 'The newest question' }] },
      ],
    })
    return Array.fromAsync(stream)
  }

  it('is shortened to a known window', async () => {
    const provider = await providerWithWindow(words, WINDOW)

    const parts = await ask(provider.url, WINDOW)

    expect(parts.some((part) => part.type === 'text-delta' && part.delta === 'Hello')).toBe(true)
    expect(provider.refused).toBe(0)
    const [request = ''] = provider.requests
    for (const phrase of ['You are tested.', NOTE, 'Turn 29.', 'The newest question'])
      expect(request).toContain(phrase)
    expect(request).not.toContain('Turn 0.')
  })

  it('is shortened again if the provider rejects it', async () => {
    const provider = await providerWithWindow(words, WINDOW)

    const parts = await ask(provider.url, WINDOW * 1.8)

    expect(parts.some((part) => part.type === 'text-delta' && part.delta === 'Hello')).toBe(true)
    expect(provider.refused).toBe(1)
    expect(provider.requests[0]).toContain('The newest question')
  })

  it('fails as context-full once nothing more can be left out', async () => {
    const provider = await providerWithWindow(words, 10)

    await expect(ask(provider.url, WINDOW)).rejects.toMatchObject({
      code: 'context-full',
      message: expect.stringMatching(
        /^The conversation is too long for wire:m, even without its older turns: /,
      ),
      translations: { zh: expect.stringContaining('太长') },
    })
    // The last one has no more than the instructions and the newest message.
    expect(provider.refused).toBeGreaterThan(1)
    expect(provider.refused).toBeLessThanOrEqual(5)
  })
})

describe.each(['pi', 'default'])('a thread that outgrows the model (%s)', (engine) => {
  const [, , chat] = wireWords
  const agent = { engine, model: { primary: 'wire:m', fallback: 'wire:m' } }

  async function threadAt(contextWindow: number | undefined, more: Partial<ServerOptions> = {}) {
    if (!chat) throw new Error('There are no words of chat completions.')
    const provider = await providerWithWindow(chat, WINDOW)
    const models = modelsAt(provider.url, 'chat', contextWindow)
    const server = await openServer({ models, agent, ...more })
    onTestFinished(() => server[Symbol.asyncDispose]())
    const say = async (message: string): Promise<string> => {
      const response = await client(server).post(
        '/jobs/chat',
        chatRequest(message, { conversationId: 'long' }),
      )
      await response.text()
      const log = await fetch(`${server.url}/v1/runs/${response.headers.get('x-run-id')}/events`)
      return log.text()
    }
    return { provider, say }
  }

  it.each([WINDOW, undefined])('continues with a window of %s', async (contextWindow) => {
    const { provider, say } = await threadAt(contextWindow)

    const ends: string[] = []
    for (let index = 0; index < 20; index++) ends.push(await say(turn(index)))

    expect(ends.filter((end) => end.includes('"run.finished"'))).toHaveLength(20)
    expect(provider.requests.at(-1)).toContain('Turn 19.')
    expect(provider.requests.at(-1)).toContain(NOTE)
    expect(provider.requests.at(-1)).not.toContain('Turn 0.')
  })

  it('fails a message that is too long, and answers the next one', async () => {
    const { say } = await threadAt(WINDOW)

    const failed = await say(`Too long. ${'word '.repeat(20_000)}`)
    const answered = await say('Short again.')

    expect(failed).toContain('"code":"context-full"')
    expect(failed).toContain('"retryable":false')
    expect(answered).toContain('"run.finished"')
  })

  it('continues after tool outcomes longer than the window', async () => {
    const read = defineTool({
      name: 'look',
      description: 'Reads a long file.',
      inputSchema: z.object({ at: z.number() }),
      execute: async () => toolResult({ output: null, text: 'line of a file\n'.repeat(2000) }),
    })
    const { provider, say } = await threadAt(WINDOW, { tools: [read] })
    for (let step = 0; step < 4; step++) provider.answers.push(chat?.thoughtAndCall ?? [])

    const end = await say('Read it four times.')

    expect(end).toContain('"run.finished"')
    expect(provider.refused).toBe(0)
    expect(provider.requests.at(-1)).toContain('Read it four times.')
    expect(provider.requests.at(-1)).toContain('The rest of this outcome was left out')
  })

  it.each([1, 3])(
    'answers after %d turns with outcomes of 48 kB, with a window that is not known',
    async (turns) => {
      const read = defineTool({
        name: 'look',
        description: 'Reads a long file.',
        inputSchema: z.object({ at: z.number() }),
        execute: async () => toolResult({ output: null, text: 'line of a file\n'.repeat(3200) }),
      })
      const { provider, say } = await threadAt(undefined, { tools: [read] })
      for (let n = 0; n < turns; n++) {
        provider.answers.push(chat?.thoughtAndCall ?? [])
        await say('Read it.')
      }

      expect(await say('hello')).toContain('"run.finished"')
      expect(provider.requests.at(-1)).toContain('hello')
    },
  )
})
