import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { openServer } from '../../src/main.ts'

import {
  DEFAULT_RESPONSE_LIMITS,
  type ResponseLimits,
} from '../../../../packages/dragoman/src/models/limit-responses.ts'
import { configured } from '../../../../test/support/configured.ts'
import { floodingProvider, type Flood } from '../../../../test/support/flooding-provider.ts'
import { events, wireModels, wireProvider } from '../../../../test/support/wire-provider.ts'
import { wireWords } from '../../../../test/support/wire-words.ts'
import { createTempDir } from '../../../../test/support/create-temp-dir.ts'

const MIB = 1024 * 1024
const filler = 'x'.repeat(1 << 16)

function modelAt(url: string, api: string, limits: Partial<ResponseLimits> = {}) {
  const models = wireModels(url, { wire: api }, { limits: { ...DEFAULT_RESPONSE_LIMITS, ...limits } })
  return models.choose({ primary: 'wire:m', fallback: 'wire:m', retries: 0 }).load()
}

/** Asks the model, and gives the error and how much text and how many calls came before it. */
async function ask(url: string, api: string, limits?: Partial<ResponseLimits>) {
  const model = await modelAt(url, api, limits)
  let characters = 0
  let calls = 0
  const listen = async (): Promise<void> => {
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
      tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object' } }],
    })
    for await (const part of stream) {
      if (part.type === 'text-delta') characters += part.delta.length
      if (part.type === 'tool-call') calls += 1
    }
  }
  const error: unknown = await listen().catch((thrown: unknown) => thrown)
  return { error, characters, calls }
}

describe.each(wireWords)('a configured provider that speaks $api', ({ api, begin, text }) => {
  const words = text(filler)
  it.each<{ what: string; flood: Flood; limit: keyof ResponseLimits }>([
    { what: 'a line without end', flood: { head: ['data: '], piece: filler }, limit: 'providerLineBytes' },
    {
      what: 'an event of ever more lines',
      flood: { piece: `data: ${filler}\ndata: \r\n` },
      limit: 'providerLineBytes',
    },
    { what: 'spaces, compressed', flood: { gzip: true, piece: ' '.repeat(MIB) }, limit: 'providerLineBytes' },
    {
      what: 'a picture without end',
      flood: { head: ['data: {"x":"'], piece: filler },
      limit: 'providerAnswerBytes',
    },
    { what: 'comments', flood: { piece: `: ${filler}\n\n` }, limit: 'providerAnswerBytes' },
    {
      what: 'text without end',
      flood: { head: [...begin, ...words.slice(0, -1)], piece: words.at(-1) ?? '' },
      limit: 'providerAnswerBytes',
    },
  ])('is read up to a limit if it sends $what', async ({ flood, limit }) => {
    await using provider = await floodingProvider(flood)
    const { error } = await ask(provider.url, api, {
      providerLineBytes: 2 * MIB,
      providerAnswerBytes: 4 * MIB,
    })

    expect(error).toMatchObject({
      code: 'model-refused',
      message: expect.stringContaining(`limits.${limit}`),
    })
    // What was written beyond the limit is in the buffers of the two sockets.
    expect(provider.byteCount()).toBeLessThan(64 * MIB)
  })

  it('may end lines with CR, LF or both, in any chunks', async () => {
    await using provider = await wireProvider()
    const answer = [...begin, ...text('Hello'), ...text('again')].join('')
    const longest = Math.max(...answer.split('\n\n').map(({ length }) => length))

    for (const lineEnd of ['\n', '\r\n']) {
      provider.play({ body: [answer.replaceAll('\n', lineEnd)] })
      const { error } = await ask(provider.url, api, { providerLineBytes: longest + 8 })

      expect(error).not.toMatchObject({ message: expect.stringContaining('limits.') })
    }
  })
})

describe('a model with too many calls in one step', () => {
  const call = (index: number) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'look', arguments: '{}' },
  })
  const chunk = (tools: readonly object[]) =>
    events({
      id: 'c',
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { tool_calls: tools } }],
    } as object)
  const end = events({ choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] } as object)
  const storm = (count: number) => ({
    body: [...Array.from({ length: count }, (_, index) => chunk([call(index)])).flat(), ...end],
  })

  it.each([
    [3, undefined],
    [4, 'The model wire:m made more than 3 tool calls in one step (limits.callsPerStep).'],
    [10_000, 'The model wire:m made more than 3 tool calls in one step (limits.callsPerStep).'],
  ])('is interrupted after %i calls', async (count, message) => {
    await using provider = await wireProvider()
    provider.play(storm(count))

    const { error, calls } = await ask(provider.url, 'chat', { callsPerStep: 3 })

    expect(calls).toBeLessThanOrEqual(3)
    if (message === undefined) expect(error).toBeUndefined()
    else expect(error).toMatchObject({ code: 'model-refused', message })
  })

  it('has the limits of config.yaml', async () => {
    await using provider = await wireProvider()
    provider.play(storm(3))
    const home = await createTempDir()
    await writeFile(join(home, 'config.yaml'), 'limits: { callsPerStep: 2 }')
    const flags = ['--home', home, '--log-level', 'silent', '--model', 'openai:m']
    const dragoman = await openServer(flags, { OPENAI_BASE_URL: provider.url })
    onTestFinished(() => dragoman.close())

    const answer = await dragoman.fetch(
      new Request('http://127.0.0.1/assistant/chat?protocol=native', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ message: 'storm' }),
      }),
    )

    expect(await answer.text()).toContain('openai:m made more than 2 tool calls in one step')
  })

  const { open, as } = configured()
  it.each(['pi', 'default'])('ends the run but not the server (%s)', async (engine) => {
    await using provider = await wireProvider()
    provider.play(storm(10_000))
    const models = wireModels(provider.url, { wire: 'chat' })
    await open({}, { models, agent: { engine, model: { primary: 'wire:m', fallback: 'wire:m' } } })

    const answer = await as('ada')('POST', '/jobs/chat?protocol=native', { message: 'storm' })

    expect(answer.text).toContain('made more than 128 tool calls in one step')
    expect(answer.text.match(/"type":"tool\.called"/g)?.length ?? 0).toBeLessThanOrEqual(128)
    expect(answer.text).toContain('"type":"run.failed"')
    expect((await as('ada')('GET', '/health')).status).toBe(200)
  })
})
