import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { createModels, modelsFileSchema, type ModelsOptions, type ModelPreference } from './index.ts'

const agent = { primary: 'sonnet', fallback: 'haiku' }

function choose(env: ModelsOptions['env'], override?: string, model: ModelPreference = agent) {
  return createModels({ env, override, offlinePace: 0 }).choose(model)
}

/** What an attempt is refused with. */
function refusal(env: ModelsOptions['env'], override?: string): ServiceError | undefined {
  try {
    createModels({ env, override, offlinePace: 0 })
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  return undefined
}

const SECRET = 'sk-secret-1234'

describe('the model that a request names', () => {
  const models = (env: ModelsOptions['env'], file = {}) =>
    createModels({ env, offlinePace: 0, file: modelsFileSchema.parse(file) })

  it.each([
    ['offline', {}],
    ['sonnet', { ANTHROPIC_API_KEY: SECRET }],
    ['anthropic:claude-x', { ANTHROPIC_API_KEY: SECRET }],
    ['openai', { OPENAI_API_KEY: SECRET }],
  ])('accepts %s', (name, env) => {
    expect(() => models(env).requireReachable(name)).not.toThrow()
  })

  it('accepts a name of models.yaml', () => {
    const file = { models: { fast: { provider: 'openai', model_name: 'gpt-x' } } }

    expect(() => models({ OPENAI_API_KEY: SECRET }, file).requireReachable('fast')).not.toThrow()
    expect(() => models({}, file).requireReachable('fast')).toThrow('model: cannot be reached (')
  })

  it.each([
    ['gpt-4', 'model: is not known here: use one of offline, openai/<model>'],
    [SECRET, 'model: is not known here'],
    ['sonnet', 'model: cannot be reached (neither ANTHROPIC_API_KEY nor'],
    ['anthropic:claude-x', 'model: cannot be reached ('],
  ])('refuses an unknown name without quoting it, and lists the known ones: %s', (name, words) => {
    const refused = (): void => models({ OPENAI_API_KEY: SECRET }).requireReachable(name)

    expect(refused).toThrow(words)
    expect(refused).not.toThrow(SECRET)
  })
})

describe('the model of an agent', () => {
  it.each<[string, ModelsOptions['env'], string]>([
    ['is offline where nothing is configured', {}, 'offline'],
    [
      'is offline where what is configured is blank',
      { ANTHROPIC_API_KEY: ' ', OPENAI_BASE_URL: '' },
      'offline',
    ],
    ['is its first choice with a key', { ANTHROPIC_API_KEY: SECRET }, 'anthropic:claude-sonnet-5-5'],
    [
      'is its first choice with a loopback address alone',
      { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' },
      'anthropic:claude-sonnet-5-5',
    ],
    [
      'is its first choice with an address that is said to need no key',
      { ANTHROPIC_BASE_URL: 'http://a.example', ANTHROPIC_API_KEY: 'none' },
      'anthropic:claude-sonnet-5-5',
    ],
    ['gets no prompt at another host without a key', { ANTHROPIC_BASE_URL: 'http://a.example' }, 'offline'],
    [
      'is its first choice with the other name of the key',
      { CLAUDE_API_KEY: SECRET },
      'anthropic:claude-sonnet-5-5',
    ],
    [
      'is the Sonnet that CLAUDE_MODEL names',
      { CLAUDE_API_KEY: SECRET, CLAUDE_MODEL: 'claude-x' },
      'anthropic:claude-x',
    ],
    ['is of any provider rather than offline', { OPENAI_API_KEY: SECRET }, 'openai:gpt-6-astra'],
    [
      'is of any provider the one asked for',
      { OPENAI_API_KEY: SECRET, OPENAI_MODEL: 'gpt-x' },
      'openai:gpt-x',
    ],
    ['is Google’s with its key', { GOOGLE_API_KEY: SECRET }, 'google:gemini-flash-latest'],
    ['is Google’s with the other name of the key', { GEMINI_API_KEY: SECRET }, 'google:gemini-flash-latest'],
    ['is of OpenRouter’s choice with its key', { OPENROUTER_API_KEY: SECRET }, 'openrouter:openrouter/auto'],
    [
      'is what Ollama has, where that is said',
      { OLLAMA_BASE_URL: 'http://o.example', OLLAMA_MODEL: 'qwen3' },
      'ollama:qwen3',
    ],
    ['is not Ollama’s where no model of it is named', { OLLAMA_BASE_URL: 'http://o.example' }, 'offline'],
  ])('%s', (_rule, env, name) => {
    const choice = choose(env)

    expect(choice.name).toBe(name)
    expect(choice.why).toMatch(/^[A-Z].*\.$/)
    expect(JSON.stringify(choice)).not.toContain(SECRET)
  })

  it('is the second choice if the first is not configured', () => {
    const choice = choose({ OPENAI_API_KEY: SECRET }, undefined, {
      primary: 'sonnet',
      fallback: 'openai:gpt-y',
    })

    expect(choice.name).toBe('openai:gpt-y')
    expect(choice.why).toBe("It is the agent's second choice (openai:gpt-y), and OPENAI_API_KEY is set.")
  })

  it('is Ollama without any variable if the agent names it', () => {
    const choice = choose({}, undefined, { primary: 'ollama:qwen3:8b', fallback: 'haiku' })

    expect(choice).toMatchObject({
      name: 'ollama:qwen3:8b',
      why: "It is the agent's first choice (ollama:qwen3:8b), and it needs no key.",
    })
    expect(refusal({}, 'ollama')?.message).toContain('without a model: use ollama/<model>')
  })

  it('is that of any configured provider if the agent names none', () => {
    expect(choose({ OPENAI_API_KEY: SECRET }, undefined, {})).toMatchObject({
      name: 'openai:gpt-6-astra',
      why: 'The agent names no model; OPENAI_API_KEY is set.',
    })
    expect(choose({}, undefined, {})).toMatchObject({
      name: 'offline',
      why: expect.stringContaining('No model provider is configured'),
    })
  })

  it.each([
    ['openai/gpt-x', 'openai:gpt-x'],
    ['openai:gpt-x', 'openai:gpt-x'],
    ['openrouter/vendor/model:free', 'openrouter:vendor/model:free'],
    ['openrouter:vendor/model:free', 'openrouter:vendor/model:free'],
    ['ollama/qwen3:8b', 'ollama:qwen3:8b'],
    ['ollama/library/qwen3', 'ollama:library/qwen3'],
    ['anthropic/haiku', 'anthropic:claude-haiku-5-5'],
  ])('accepts the name %s', (primary, name) => {
    const env = { OPENAI_API_KEY: SECRET, OPENROUTER_API_KEY: SECRET, ANTHROPIC_API_KEY: SECRET }

    expect(choose(env, undefined, { primary }).name).toBe(name)
  })

  it.each(['openai/', 'openai:', 'openaix/gpt', 'vendor/model', '/gpt', ''])(
    'refuses a name without a provider: %j',
    (name) => {
      expect(createModels({ env: {}, offlinePace: 0 }).resolveName(name)).toBeUndefined()
    },
  )

  it('has the other models of the agent as fallbacks', () => {
    expect(choose({ ANTHROPIC_API_KEY: SECRET }).why).toBe(
      "It is the agent's first choice (sonnet), and ANTHROPIC_API_KEY is set. Where it fails: " +
        'anthropic:claude-haiku-5-5.',
    )
  })

  it('is the offline model by choice', () => {
    expect(
      choose({ OPENAI_API_KEY: SECRET }, undefined, { primary: 'offline', fallback: 'haiku' }).name,
    ).toBe('offline')
  })

  it('is another one if the agent names an unknown model', () => {
    const choice = choose({ ANTHROPIC_API_KEY: SECRET }, undefined, { primary: 'acme:x', fallback: 'y' })

    expect(choice.name).toBe('anthropic:claude-sonnet-5-5')
    expect(choice.why).toContain('(acme:x, y) cannot be reached')
  })
})

describe('an override', () => {
  it.each([
    ['openai:gpt-x', 'openai:gpt-x'],
    ['openai:llama3:8b', 'openai:llama3:8b'],
    ['openai', 'openai:gpt-6-astra'],
    ['haiku', 'anthropic:claude-haiku-5-5'],
    ['anthropic:haiku', 'anthropic:claude-haiku-5-5'],
    ['openai:sonnet', 'openai:sonnet'],
    ['offline', 'offline'],
    ['', 'anthropic:claude-sonnet-5-5'],
  ])('of %j gives every agent %s', (override, name) => {
    expect(choose({ ANTHROPIC_API_KEY: SECRET, OPENAI_API_KEY: SECRET }, override).name).toBe(name)
  })

  it('refuses an unknown provider, and lists the known ones', () => {
    expect(refusal({}, 'constructor')?.code).toBe('invalid-request')
    expect(refusal({}, 'acme:x')).toMatchObject({
      code: 'invalid-request',
      message: expect.stringMatching(/anthropic\/<model>, openai\/<model>, .*, offline/),
    })
  })

  it('is not quoted in its error, because it may be a key in the wrong place', () => {
    expect(refusal({}, SECRET)?.message).not.toContain(SECRET)
  })

  it.each(['anthropic:claude-x', 'sonnet'])(
    'refuses %s without key and base URL, and names them',
    (override) => {
      expect(refusal({ OPENAI_API_KEY: SECRET }, override)?.message).toContain(
        'neither ANTHROPIC_API_KEY nor ANTHROPIC_BASE_URL is set',
      )
    },
  )
})

describe('a base URL', () => {
  it.each(['not a url', 'ftp://a.example', 'http://ada:hunter2@a.example', 'http://a.example/?key=hunter2'])(
    'refuses an unusable address by the name of its setting: %s',
    (url) => {
      const error = refusal({ OPENAI_BASE_URL: url })

      expect(error).toMatchObject({
        code: 'invalid-request',
        message: expect.stringMatching(/^OPENAI_BASE_URL /),
      })
      expect(error?.message).not.toContain('hunter2')
      expect(refusal({ CLAUDE_BASE_URL: url })?.message).toMatch(/^CLAUDE_BASE_URL /)
    },
  )
})

it('loads the demo model without any provider', async () => {
  const model = await choose({}).load()

  expect(model).toMatchObject({ specificationVersion: 'v4', provider: 'dragoman', modelId: 'offline' })
})
