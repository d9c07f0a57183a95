import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { createModels, modelsFileSchema } from './index.ts'

describe('an address without a key', () => {
  it.each([
    ['CLAUDE_BASE_URL', 'http://192.0.2.2:4862/api'],
    ['ANTHROPIC_BASE_URL', 'http://192.0.2.2:4862'],
    ['OPENAI_BASE_URL', 'https://gateway.example/v1'],
  ])('lets no prompt leave without a key for another host: %s', (variable, address) => {
    const choose = (env: Record<string, string>, text = ''): string =>
      createModels({ env, offlinePace: 0, file: modelsFileSchema.parse(parse(text)) }).choose({
        primary: 'sonnet',
      }).name
    const local = { [variable]: 'http://127.0.0.1:4862' }
    const key = { [variable.replace('BASE_URL', 'API_KEY')]: 'none' }

    expect(choose({ [variable]: address })).toBe('offline')
    expect(choose(local)).not.toBe('offline')
    expect(choose({ [variable]: address, ...key })).not.toBe('offline')
    const relay = (settings: string): string =>
      `providers: { relay: { ${settings} } }
models: { main: { provider: relay, model_name: m } }
defaults: { chat: { primary: main } }`
    expect(choose({}, relay(`base_url: "${address}"`))).toBe('offline')
    expect(choose({}, relay(`base_url: "${address}", api_key: none`))).toBe('relay:m')
    expect(choose({}, relay('base_url: "http://localhost:1"'))).toBe('relay:m')
  })
})
