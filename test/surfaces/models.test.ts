import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it } from 'vitest'

import { client } from '../support/http.ts'
import { AWAY } from '../support/model-host.ts'
import { says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'

type Agents = { agents: { id: string; model: { name: string; demo: boolean } }[] }
type Providers = { mayChange: boolean; providers: { name: string; ready: boolean; models?: string[] }[] }

const KEY = 'sk-test-0123456789'

/** Where tests run on PostgreSQL, keys are sealed with a secret of the owner's alone. */
const env = { DRAGOMAN_SECRET: 'a secret of the tests', ...AWAY }

describe('model providers', () => {
  it('are used from the moment at which the owner saves a key, which is never shown', async () => {
    await using server = await openServer({ isOnDisk: true, env })
    const { json, send } = client(server)
    const model = async () => ((await json('GET', '/v1/agents')).body as Agents).agents[0]?.model
    expect(await model()).toMatchObject({ name: 'offline', demo: true })

    expect((await send('PUT', '/v1/providers/openai', { apiKey: ` ${KEY} `, model: 'gpt-x' })).status).toBe(
      204,
    )

    expect(await model()).toMatchObject({ name: 'openai:gpt-x', demo: false })
    const { body } = await json('GET', '/v1/providers')
    expect(JSON.stringify(body)).not.toContain(KEY)
    expect(body).toMatchObject({ mayChange: true })
    expect((body as Providers).providers.find(({ name }) => name === 'openai')).toMatchObject({ ready: true })
    expect((await json('GET', '/v1/models')).body).toEqual({
      models: [{ name: 'openai/gpt-x', provider: 'openai' }],
    })
    await send('PUT', '/v1/providers/openai', { apiKey: 'sk-other' })
    expect(await model()).toMatchObject({ name: 'openai:gpt-x' })
    expect((await send('DELETE', '/v1/providers/openai')).status).toBe(204)
    expect(await model()).toMatchObject({ name: 'offline' })
  })

  it('are found on this machine', async () => {
    const program = createServer((_request, response) => response.end('{"data": [{"id": "qwen3:8b"}]}'))
    await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve))
    const { port } = program.address() as AddressInfo
    try {
      await using server = await openServer({
        isOnDisk: true,
        env: { ...env, OLLAMA_BASE_URL: `http://127.0.0.1:${port}/v1` },
      })
      const { json, send } = client(server)
      const { providers } = (await json('GET', '/v1/providers')).body as Providers
      expect(providers.find(({ name }) => name === 'ollama')).toMatchObject({ models: ['qwen3:8b'] })

      await send('PUT', '/v1/providers/ollama', { model: 'qwen3:8b' })

      expect((await json('GET', '/v1/agents')).body).toMatchObject({
        agents: [{ model: { name: 'ollama:qwen3:8b' } }],
      })
    } finally {
      program.close()
    }
  })

  it.each([
    ['an unknown provider', 'unknown', { apiKey: KEY }, 'There is no provider of that name'],
    ['a key with spaces', 'openai', { apiKey: 'sk test' }, 'apiKey: '],
    ['a key that names a variable', 'openai', { apiKey: 'sk-${HOME}' }, 'apiKey: '],
    ['a model that names a variable', 'openai', { apiKey: KEY, model: '${HOME}' }, 'model: '],
    ['no key', 'openai', { model: 'gpt-x' }, 'apiKey is required'],
    ['no model of a program', 'ollama', {}, 'model is required'],
    ['a key that the environment has', 'google', { apiKey: KEY }, 'GOOGLE_API_KEY is set'],
  ])('refuse %s', async (_name, provider, body, words) => {
    await using server = await openServer({ isOnDisk: true, env: { GOOGLE_API_KEY: 'from-outside' } })

    const refused = await client(server).json('PUT', `/v1/providers/${provider}`, body)

    expect(refused.status).toBe(provider === 'unknown' ? 404 : 400)
    expect(refused.body['error']).toContain(words)
  })

  it('are the owner’s alone', async () => {
    await using server = await openServer({ isOnDisk: true, flags: ['--require-token'], users: ['ada'] })
    const { get, send } = client(server)
    const headers = { authorization: `Bearer ${server.token('ada')}` }

    expect(await (await get('/v1/providers', headers)).json()).toEqual({ mayChange: false, providers: [] })
    expect((await send('PUT', '/v1/providers/openai', { apiKey: KEY }, headers)).status).toBe(403)
    expect((await send('DELETE', '/v1/providers/openai', undefined, headers)).status).toBe(403)
  })
})

describe('the model of a thread', () => {
  it('is chosen by its name, which must be reachable, and given up again', async () => {
    await using server = await openServer({ isOnDisk: true, env: { OPENAI_API_KEY: KEY } })
    const { json } = client(server)
    const { id } = (await json('POST', '/v1/threads', {})).body as { id: string }
    const change = (model: string | null) => json('PATCH', `/v1/threads/${id}`, { model })

    expect(await change('unknown/x')).toMatchObject({ status: 400 })
    expect(await change('openai/gpt-y')).toMatchObject({ status: 200, body: { model: 'openai/gpt-y' } })
    expect((await json('GET', `/v1/threads/${id}`)).body).toMatchObject({ model: 'openai/gpt-y' })
    expect(await change(null)).toMatchObject({ body: { model: null } })
    const run = await json('POST', `/v1/threads/${id}/runs`, { message: 'Hello', model: 'unknown/x' })
    expect(run).toMatchObject({ status: 400, body: { error: expect.stringContaining('model: ') } })
  })

  it('answers its runs, unless a run names another', async () => {
    await using server = await openServer({ isOnDisk: true })
    const { json } = client(server)
    const { id } = (await json('POST', '/v1/threads', {})).body as { id: string }
    await json('PATCH', `/v1/threads/${id}`, { model: 'offline' })

    const { body } = await json('POST', `/v1/threads/${id}/runs`, { message: 'Hello', stream: false })

    expect(body).toMatchObject({ message: { parts: [{ type: 'step', model: 'offline' }, {}] } })
  })
})

describe('what a server offers', () => {
  it('names its agents with their prompts, and its protocols', async () => {
    await using server = await openServer({
      models: scriptedModel([step(says('Hello.'))]).models,
      capability: { demo: [{ example: { en: 'Hello', zh: '你好' }, when: /hello/i, say: 'Hello.' }] },
    })
    const { json } = client(server)

    expect((await json('GET', '/v1/agents')).body).toMatchObject({
      agents: [{ id: 'jobs', ready: true, prompts: [{ en: 'Hello', zh: '你好' }] }],
    })
    expect((await json('GET', '/v1/models')).body).toEqual({ models: [] })
    expect((await json('GET', '/v1/protocols')).body).toMatchObject({
      protocols: expect.arrayContaining([{ name: 'native', framing: 'events' }]),
    })
    expect((await json('GET', '/v1/providers')).body).toEqual({ mayChange: false, providers: [] })
  })
})
