import { describe, expect, it } from 'vitest'

import { client } from '../support/http.ts'
import { NOWHERE, openModelHost } from '../support/model-host.ts'
import { openServer } from '../support/server.ts'

const env = { DRAGOMAN_SECRET: 'a secret of the tests' }
const KEY = 'sk-right-0123456789'

type Providers = { providers: { name: string; models?: string[] }[] }

describe('the list of a provider', () => {
  it.each([
    [
      'openai',
      'OPENAI',
      {
        data: [{ id: 'gpt-6' }, { id: 'text-embedding-3-small' }, { id: 'whisper-1' }, { id: 'gpt-image-2' }],
      },
      ['gpt-6'],
    ],
    ['anthropic', 'ANTHROPIC', { data: [{ id: 'claude-opus-5', type: 'model' }] }, ['claude-opus-5']],
    [
      'google',
      'GOOGLE',
      {
        models: [
          { name: 'models/gemini-4', supportedGenerationMethods: ['generateContent'] },
          { name: 'models/text-embedding-004', supportedGenerationMethods: ['embedContent'] },
        ],
      },
      ['gemini-4'],
    ],
    [
      'openrouter',
      'OPENROUTER',
      {
        data: [
          { id: 'qwen/qwen4', architecture: { output_modalities: ['text'] } },
          { id: 'x/draw', architecture: { output_modalities: ['image'] } },
        ],
      },
      ['qwen/qwen4'],
    ],
    [
      'ollama',
      'OLLAMA',
      { data: [{ id: 'qwen3:8b' }, { id: 'nomic-embed-text:latest' }, { id: 'bge-m3:latest' }] },
      ['qwen3:8b'],
    ],
  ])('has what answers chats, and can be chosen: %s', async (name, family, list, models) => {
    await using host = await openModelHost({ list })
    const keys = { [`${family}_BASE_URL`]: host.url, [`${family}_API_KEY`]: KEY }
    await using server = await openServer({ env: { ...env, ...keys }, isOnDisk: true })
    const { json } = client(server)

    const { providers } = (await json('GET', '/v1/providers')).body as Providers
    const offered = (await json('GET', '/v1/models')).body
    await json('GET', '/v1/models')

    expect(providers.find((each) => each.name === name)?.models).toEqual(models)
    const own = models.map((model) => ({ name: `${name}/${model}`, provider: name }))
    expect(offered['models']).toEqual(expect.arrayContaining(own))
    // The list is remembered.
    expect(host.paths).toHaveLength(1)
  })

  it('is offered to users as far as they may run it', async () => {
    await using host = await openModelHost({ list: { data: [{ id: 'a-1' }, { id: 'b-1' }] } })
    await using server = await openServer({
      env: { ...env, CUSTOM_GROQ_BASE_URL: host.url, CUSTOM_GROQ_MODEL: 'a-1' },
      users: ['ada'],
      configFile: { models: { allowed: ['groq/a-*'] } },
      isOnDisk: true,
    })
    const authorization = `Bearer ${server.token('ada')}`

    const { models } = (await (await client(server).get('/v1/models', { authorization })).json()) as {
      models: object[]
    }

    expect(models).toEqual([{ name: 'groq/a-1', provider: 'groq' }])
    expect(await (await client(server).get('/v1/providers', { authorization })).json()).toEqual({
      mayChange: false,
      providers: [],
    })
  })
})

describe('a key that is saved', () => {
  it('is tried before, and not saved if the provider refuses it', async () => {
    await using host = await openModelHost({ list: { data: [{ id: 'gpt-6' }] }, key: KEY })
    await using server = await openServer({ env: { ...env, OPENAI_BASE_URL: host.url }, isOnDisk: true })
    const { json, send } = client(server)

    const refused = await json('PUT', '/v1/providers/openai', { apiKey: 'sk-wrong' })

    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'apiKey: openai: Incorrect API key provided.' },
    })
    const stateOf = async () =>
      ((await json('GET', '/v1/providers')).body as Providers).providers.find(({ name }) => name === 'openai')
    expect(await stateOf()).toMatchObject({ saved: false, ready: false })
    expect((await send('PUT', '/v1/providers/openai', { apiKey: KEY })).status).toBe(204)
    expect(await stateOf()).toMatchObject({ ready: true, saved: true, models: ['gpt-6'] })
  })
})

describe('a provider that the owner adds', () => {
  it('answers from an address of the owner’s network, with the first model that it lists', async () => {
    await using host = await openModelHost({ list: { data: [{ id: 'm-1' }, { id: 'm-2' }] }, key: KEY })
    await using server = await openServer({ env, isOnDisk: true })
    const { json, send } = client(server)

    const added = await send('PUT', '/v1/providers/my-relay', { apiKey: KEY, baseUrl: host.url })

    expect(added.status).toBe(204)
    const { providers } = (await json('GET', '/v1/providers')).body as Providers
    expect(providers.find(({ name }) => name === 'my-relay')).toMatchObject({
      ready: true,
      custom: true,
      model: 'm-1',
      baseUrl: host.url,
      models: ['m-1', 'm-2'],
    })
    const { body: thread } = await json('POST', '/v1/threads', {})
    await send('PATCH', `/v1/threads/${String(thread['id'])}`, { model: 'my-relay/m-2' })
    const run = await json('POST', `/v1/threads/${String(thread['id'])}/runs`, {
      message: 'Hi',
      stream: false,
    })
    expect(JSON.stringify(run.body)).toContain('Hello.')
    expect((await send('DELETE', '/v1/providers/my-relay')).status).toBe(204)
    expect((await json('GET', '/v1/providers')).body).not.toMatchObject({
      providers: expect.arrayContaining([expect.objectContaining({ name: 'my-relay' })]),
    })
  })

  it.each([
    ['an address where nothing answers', 'relay', { baseUrl: NOWHERE }, 'baseUrl: relay does not answer at'],
    ['an address of another kind', 'relay', { baseUrl: 'file:///etc/passwd' }, 'baseUrl: must be an http'],
    ['a name with other signs', 'my_relay', { baseUrl: NOWHERE }, 'There is no provider of that name'],
    ['a key that is saved for another address', 'openai', { baseUrl: NOWHERE }, 'apiKey is required'],
  ])('is refused: %s', async (_what, name, body, words) => {
    await using server = await openServer({ env, isOnDisk: true })

    const refused = await client(server).json('PUT', `/v1/providers/${name}`, body)

    expect(refused.status).toBe(name === 'my_relay' ? 404 : 400)
    expect(refused.body['error']).toContain(words)
  })
})
