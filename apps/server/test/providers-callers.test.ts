import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Server, Json } from '../../../packages/dragoman/src/index.ts'
import { openServer } from '../src/main.ts'
import { framesOf, reading } from '../../../test/support/event-stream.ts'
import { client } from '../../../test/support/http.ts'
import { wireProvider, type WireProvider } from '../../../test/support/wire-provider.ts'
import { wireWords, type WireWords } from '../../../test/support/wire-words.ts'
import { createTempDir } from '../../../test/support/create-temp-dir.ts'

const THEIRS = 'sk-callers-own-1234'
const OURS = 'sk-servers-own-5678'

/** What each protocol is asked with, by a caller who names an address. */
const formats: Record<WireWords['api'], { llmConfig: Record<string, Json>; path: string; key: string }> = {
  chat: { llmConfig: { model: 'glm-5' }, path: '/v1/chat/completions', key: 'authorization' },
  anthropic: {
    llmConfig: { provider: 'anthropic', model: 'claude-haiku-4-5' },
    path: '/v1/messages',
    key: 'x-api-key',
  },
  google: {
    llmConfig: { provider: 'google', model: 'gemini-x' },
    path: '/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
    key: 'x-goog-api-key',
  },
  responses: {
    llmConfig: { model: { id: 'gpt-x', api: 'openai-responses', provider: 'openai' } },
    path: '/v1/responses',
    key: 'authorization',
  },
}

describe.each(['pi', 'default'])('a caller’s own model on the engine %s', (engine) => {
  let folder: string
  let provider: WireProvider
  let dragoman: Server
  /** With keys of the server's own for the great ones, at the same address where `env` says so. */
  const open = async (env: Record<string, string> = {}, ...args: string[]): Promise<void> => {
    const flags = ['--home', folder, '--log-level', 'silent', '--root', join(folder, 'work'), ...args]
    dragoman = await openServer(flags, env)
  }
  const host = (): string => new URL(provider.url).host
  const ask = async (llmConfig: Json): Promise<Record<string, unknown>[]> => {
    const body = { message: 'hi', workDir: join(folder, 'work'), llmConfig }
    const response = await client(dragoman).post('/api/agent-chat', body)
    const read = reading(response)
    if (response.ok) return framesOf(await read.whole())
    return [{ status: response.status, ...(JSON.parse((await read.whole()).toString()) as object) }]
  }
  const wordsOf = (api: WireWords['api']): WireWords => {
    const found = wireWords.find((words) => words.api === api)
    if (!found) throw new Error(`There are no words of ${api}.`)
    return found
  }
  const answers = (api: WireWords['api'], times = 1): void => {
    const { begin, text, end } = wordsOf(api)
    const reply = { body: [...begin, ...text('Hello from there.'), ...end] }
    provider.play(...Array.from({ length: times }, () => reply))
  }
  beforeEach(async () => {
    folder = await createTempDir()
    await mkdir(join(folder, 'work'))
    await mkdir(join(folder, 'agents', 'coding'), { recursive: true })
    await writeFile(join(folder, 'agents', 'coding', 'agent.json'), JSON.stringify({ id: 'coding', engine }))
    provider = await wireProvider()
  })
  afterEach(async () => {
    await dragoman.close()
    await provider[Symbol.asyncDispose]()
  })

  it.each(Object.entries(formats))('answers over %s with only their key', async (api, how) => {
    const { llmConfig, path, key } = how
    await open({ ANTHROPIC_API_KEY: OURS, OPENAI_API_KEY: OURS }, '--private-host', host())
    answers(api as WireWords['api'])

    const frames = await ask({
      ...llmConfig,
      apiKey: THEIRS,
      baseUrl: provider.url,
      temperature: 0.5,
      headers: { 'X-Tenant': 'acme' },
    })

    expect(frames).toContainEqual({ type: 'content', content: 'Hello from there.' })
    expect(frames.at(-1)).toMatchObject({ type: 'complete', usage: { outputTokens: 3 } })
    const [asked] = provider.requests
    expect(asked?.path).toBe(path)
    expect(asked?.headers[key]?.toString().replace('Bearer ', '')).toBe(THEIRS)
    expect(asked?.headers['x-tenant']).toBe('acme')
    expect(JSON.stringify(asked)).not.toContain(OURS)
    expect(asked?.body).toContain('8192')
    expect(asked?.body).toContain('0.5')
    expect(asked?.body).toContain(`Working directory: ${join(folder, 'work')}`)
  })

  it('gets conservative options over chat completions', async () => {
    await open({}, '--private-host', host())
    answers('chat')

    await ask({
      apiKey: THEIRS,
      model: 'qwen-x',
      baseUrl: `${provider.url}/v1/chat/completions`,
      maxTokens: 99,
    })

    const body = JSON.parse(provider.requests[0]?.body ?? '{}') as Record<string, unknown>
    expect(provider.requests[0]?.path).toBe('/v1/chat/completions')
    expect(body).toMatchObject({ model: 'qwen-x', max_tokens: 99, stream: true })
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['store']))
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['max_completion_tokens']))
    expect((body['messages'] as { role: string }[]).map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('gets the default options for an unknown api of pi', async () => {
    await open({}, '--private-host', host())
    answers('chat')

    const frames = await ask({
      apiKey: THEIRS,
      model: { id: 'm', api: 'constructor' },
      baseUrl: provider.url,
    })

    expect(frames).toContainEqual({ type: 'content', content: 'Hello from there.' })
  })

  it('accepts their key in a header, and sends no other key', async () => {
    await open({}, '--private-host', host())
    answers('anthropic')

    const headers = { Authorization: `Bearer ${THEIRS}` }
    await ask({ model: 'claude-x', provider: 'anthropic', baseUrl: `${provider.url}/anthropic`, headers })

    expect(provider.requests[0]?.path).toBe('/anthropic/v1/messages')
    expect(provider.requests[0]?.headers).toMatchObject({ authorization: `Bearer ${THEIRS}` })
    expect(provider.requests[0]?.headers).not.toHaveProperty('x-api-key')
  })

  it('uses the server’s base URL of the provider by default', async () => {
    await open({ ANTHROPIC_BASE_URL: provider.url, ANTHROPIC_API_KEY: OURS })
    answers('anthropic', 2)

    await ask({ apiKey: THEIRS, model: 'claude-x' })
    await ask({ model: 'claude-haiku-4-5', temperature: 0, maxTokens: 7 })

    const requests = provider.requests.map(({ headers, body }) => {
      const { model, temperature, max_tokens } = JSON.parse(body) as Record<string, unknown>
      return [headers['x-api-key'], model, temperature, max_tokens]
    })
    expect(requests).toEqual([
      [THEIRS, 'claude-x', undefined, 8192],
      [OURS, 'claude-haiku-4-5', 0, 7],
    ])
  })

  it('follows no redirect', async () => {
    await using elsewhere = await wireProvider()
    await open({}, '--private-host', host(), '--private-host', new URL(elsewhere.url).host)
    const headers = { location: `${elsewhere.url}/v1/chat/completions` }
    provider.play({ status: 307, headers, body: [''] })

    const frames = await ask({ apiKey: THEIRS, model: 'm', baseUrl: provider.url })

    expect(frames.slice(-2)).toMatchObject([{ type: 'error' }, { type: 'complete' }])
    expect(elsewhere.requests).toEqual([])
  })

  it('reports a refused key without the provider’s message', async () => {
    await open({}, '--private-host', host())
    provider.play({
      status: 401,
      body: [JSON.stringify({ error: { message: `Incorrect API key: ${THEIRS}` } })],
    })

    const frames = await ask({ apiKey: THEIRS, model: 'm', baseUrl: provider.url })

    expect(frames.slice(-2)).toMatchObject([
      { type: 'error', code: 'model-unauthorized', error: expect.stringContaining('llmConfig.apiKey') },
      { type: 'complete' },
    ])
    expect(JSON.stringify(frames)).not.toContain(THEIRS)
  })

  it('rejects a private address that is not allowed', async () => {
    await open({}, '--private-host', 'models.home.lan')

    const [refused] = await ask({ apiKey: THEIRS, model: 'm', baseUrl: provider.url })

    expect(refused).toMatchObject({ status: 403, code: 'forbidden' })
    expect(provider.requests).toEqual([])
  })
})
