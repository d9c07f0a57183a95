import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { DEFAULT_RESPONSE_LIMITS } from './limit-responses.ts'
import { createLlmConfigResolver, createModels, modelsFileSchema } from './index.ts'

const FILE = `
providers:
  vllm: { base_url: "http://127.0.0.1:1/v1", api: chat }
  gateway: { base_url: "http://192.0.2.2/v1", api: chat, api_key: none }
  paid: { base_url: "http://192.0.2.3/v1", api: chat, api_key_env: PAID_KEY }
models: { main: { provider: vllm, model_name: m } }
`

describe('the key of a caller', () => {
  const models = createModels({
    env: { PAID_KEY: 'sk-owner-12345678' },
    offlinePace: 0,
    file: modelsFileSchema.parse(parse(FILE)),
  })
  const resolve = createLlmConfigResolver({
    models,
    network: { fetch, addressOf: async (host) => host },
    answers: { limits: DEFAULT_RESPONSE_LIMITS, warn: () => undefined },
  })

  it.each([
    ['vllm', true],
    ['gateway', true],
    ['paid', false],
    ['openai', false],
  ])('for %s leaves the owner to pay: %s', async (provider, isOwners) => {
    const names: string[] = []
    const defaults = { model: { primary: 'main' }, requireModel: (name: string) => names.push(name) }
    const config = { provider, model: 'm', apiKey: 'made-up' }

    const resolved = await resolve(config, defaults, AbortSignal.timeout(10_000))

    expect(resolved).toMatchObject({ isOwners, model: { primary: `${provider}:m` } })
    expect(names).toEqual(isOwners ? [`${provider}:m`] : [])
  })
})
