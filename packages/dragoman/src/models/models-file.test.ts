import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { ServiceError } from '../errors.ts'
import { createModels, modelsFileSchema, type ModelPreference } from './index.ts'

const SECRET = 'sk-secret-1234'
const agent = { primary: 'sonnet', fallback: 'haiku' }

/** Two providers, one of which speaks Claude's protocol because of its name. */
const yaml = `
providers:
  claude:
    name: "Claude (relay)"
    base_url: http://relay.example/api/v1
    api_key_env: CLAUDE_API_KEY
    enabled: true
    timeout: 180
  local:
    base_url: http://127.0.0.1:8000
    enabled: "yes"
    timeout: "0"
models:
  claude-opus:
    provider: claude
    model_name: claude-opus-4-5-20251101
    capabilities: [chat, analysis, tools]
    tier: premium
  glm:
    provider: local
    model_name: glm-4.7
defaults:
  chat:
    primary: claude-opus
    fallback: [glm, deepseek-v3]
`

function models(text: string, env: Record<string, string> = {}, override?: string) {
  return createModels({ env, override, offlinePace: 0, file: modelsFileSchema.parse(parse(text)) })
}

function refusal(text: string, env: Record<string, string> = {}, override?: string): string {
  try {
    models(text, env, override)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'invalid-request') return error.message
    throw error
  }
  return 'nothing'
}

describe('models.yaml', () => {
  it("configures the fallbacks of an agent's model, and of each other", () => {
    expect(models(yaml, { CLAUDE_API_KEY: SECRET }).choose(agent)).toMatchObject({
      name: 'claude:claude-opus-4-5-20251101',
      why:
        'It is a choice of defaults.chat in models.yaml (claude-opus), and CLAUDE_API_KEY is set. ' +
        'Where it fails: local:glm-4.7.',
    })
    expect(models(yaml).choose(agent)).toMatchObject({
      name: 'local:glm-4.7',
      why: 'It is a choice of defaults.chat in models.yaml (glm), and models.yaml says where it is.',
    })
  })

  it('decides where it names models, also where a key of the agents’ own models is set', () => {
    const env = { CLAUDE_API_KEY: SECRET, ANTHROPIC_API_KEY: 'sk-other-5678' }
    const choose = (text: string, preference: ModelPreference): string =>
      models(text, env).choose(preference).name

    expect(choose(yaml, agent)).toBe('claude:claude-opus-4-5-20251101')
    expect(choose(yaml, { primary: 'glm', fallback: 'haiku' })).toBe('local:glm-4.7')
    expect(choose(yaml, { primary: 'claude/claude-x' })).toBe('claude:claude-x')
    expect(choose(`${yaml}  sonnet: { primary: glm }\n`, agent)).toBe('claude:claude-opus-4-5-20251101')
    const own = 'models: { sonnet: { provider: claude, model_name: claude-y } }'
    expect(
      choose(`${own}\nproviders: { claude: { base_url: "http://r.example", api_key: none } }`, agent),
    ).toBe('claude:claude-y')
    expect(choose('fallback_triggers: { max_retries: 1 }', agent)).toBe('anthropic:claude-sonnet-5-5')
    expect(choose(yaml, { primary: 'sonnet', isRequested: true })).toBe('anthropic:claude-sonnet-5-5')
    expect(choose(yaml, { primary: 'offline' })).toBe('offline')
  })

  it.each([
    ['claude-opus', 'claude:claude-opus-4-5-20251101'],
    ['claude:claude-opus', 'claude:claude-opus-4-5-20251101'],
    ['claude:claude-x', 'claude:claude-x'],
    ['local', 'local:glm-4.7'],
    ['glm', 'local:glm-4.7'],
  ])('gives models short names: %s', (name, full) => {
    expect(models(yaml, { CLAUDE_API_KEY: SECRET }, name).choose(agent).name).toBe(full)
    expect(models(yaml, { CLAUDE_API_KEY: SECRET }).choose({ ...agent, primary: name }).name).toBe(full)
  })

  it('changes the meaning of a short name', () => {
    const text = `${yaml}\n`
      .replace('claude-opus:', 'sonnet:')
      .replace('primary: claude-opus', 'primary: sonnet')

    expect(models(text, { CLAUDE_API_KEY: SECRET }).choose(agent).name).toBe(
      'claude:claude-opus-4-5-20251101',
    )
  })

  it('has an entry for each task', () => {
    const text = `${yaml}  report: { primary: glm }`

    expect(models(text, { CLAUDE_API_KEY: SECRET }).choose({ ...agent, task: 'report' }).name).toBe(
      'local:glm-4.7',
    )
  })

  it('maps variables, and configures global fallbacks', () => {
    const text = `${yaml}env_mapping: { CLAUDE_API_KEY: RELAY_KEY }\nglobal_fallback: glm`
    const chosen = models(text, { RELAY_KEY: SECRET }, 'claude-opus').choose(agent)

    expect(chosen.why).toContain('Where it fails: local:glm-4.7.')
  })

  it('may be empty', () => {
    expect(models('providers:\nmodels:\ndefaults:\n').choose(agent).name).toBe('offline')
  })
})

describe('a key that models.yaml assigns to an address', () => {
  it('is not used elsewhere by a provider with the same variable', () => {
    const env = { CLAUDE_API_KEY: SECRET }

    expect(models(yaml, env).choose({ primary: 'sonnet', fallback: 'anthropic:haiku' }).name).toMatch(
      /^claude:/,
    )
    expect(refusal(yaml, env, 'sonnet')).toBe(
      'DRAGOMAN_MODEL (or --model) names a model of anthropic, but CLAUDE_API_KEY is for claude of models.yaml.',
    )
  })

  it('is not needed if the provider has another key', () => {
    const env = { CLAUDE_API_KEY: SECRET, ANTHROPIC_API_KEY: 'sk-other' }

    expect(models(yaml, env, 'sonnet').choose(agent).name).toBe('anthropic:claude-sonnet-5-5')
  })
})

describe('a provider without an address', () => {
  it.each([
    ['openai-eu: { api_key_env: EU_KEY }', 'openai-eu:x', 'openai.responses'],
    ['mine: { api_key_env: GEMINI_KEY_2 }', 'mine:x', 'google.generative-ai'],
    ['claude: { api_key: none }', 'claude:x', 'anthropic.messages'],
  ])("uses its vendor's address if its name matches: %s", async (provider, name, api) => {
    const env = { EU_KEY: SECRET, GEMINI_KEY_2: SECRET }
    const chosen = models(`providers: { ${provider} }`, env, name).choose(agent)

    expect((await chosen.load()).provider).toBe(api)
  })

  it.each([
    ['claude: {}', 'providers.claude of models.yaml has no api_key_env'],
    ['far: { base_url: "http://192.0.2.2/v1" }', 'providers.far of models.yaml has no api_key_env'],
    ['far: { base_url: "http://192.0.2.2/v1", backup_urls: ["https://b.example"] }', 'has no api_key_env'],
  ])('gets no prompt of anyone without a key: %s', (provider, words) => {
    const choice = models(`providers: { ${provider} }`, {}, 'offline').choose(agent)
    const named = (): unknown => models(`providers: { ${provider} }`, {}, `${provider.split(':')[0]}/x`)

    expect(choice.name).toBe('offline')
    expect(named).toThrow(words)
  })

  it('is refused if its vendor is unknown', () => {
    expect(refusal('providers: { deepseek: { api_key_env: DEEPSEEK_API_KEY, api: openai } }')).toBe(
      'models.yaml: providers.deepseek.base_url is missing.',
    )
  })
})

describe('a problem in models.yaml', () => {
  it('is reported with its path', () => {
    expect(refusal('models: { x: { provider: acme, model_name: y } }')).toMatch(
      /^models\.yaml: models\.x\.provider names no known provider: use one of anthropic, openai, google/,
    )
    expect(refusal('providers: { a: { base_url: "http://ada:hunter2@a.example" } }')).toMatch(
      /^models\.yaml: providers\.a\.base_url must be a plain address/,
    )
    expect(
      modelsFileSchema.safeParse(parse('providers: { a: { timeout: -1 } }')).error?.issues[0]?.path,
    ).toEqual(['providers', 'a', 'timeout'])
  })

  it('is only reported if it does no harm', () => {
    const text = `${yaml}tier_overrides: {}\n`.replace(
      'timeout: 180',
      'timeout: 180\n    test_endpoint: /v1/models',
    )

    expect(models(text).warnings).toEqual([
      'models.yaml: tier_overrides is not used.',
      'models.yaml: providers.claude.test_endpoint is not used.',
      'models.yaml: defaults.chat.fallback names "deepseek-v3", which is no known model.',
    ])
    expect(models('').warnings).toEqual([])
  })

  it.each([
    ['providers: { claude: { enabeld: false } }', 'providers.claude.enabeld is not known: is enabled meant?'],
    ['providers: { claude: { Enabled: false } }', 'providers.claude.Enabled is not known: is enabled meant?'],
    ['providers: { claude: { time_out: 5 } }', 'providers.claude.time_out is not known: is timeout meant?'],
    ['models: { a: { provider: openai, model_name: m, enabled: false } }', 'models.a.enabled has no effect'],
    ['fallback_trigger: { max_retries: 0 }', 'fallback_trigger is not known: is fallback_triggers meant?'],
    ['max_retries: 0', 'max_retries has no effect at this place. Correct it or take it out.'],
    ['fallback_triggers: { on_api_eror: false }', 'fallback_triggers.on_api_eror is not known'],
    ['provider: { a: { enabled: false } }', 'provider is not known: is providers meant?'],
  ])('is refused if it may be meant to switch something off: %s', (text, sentence) => {
    expect(refusal(text)).toContain(`models.yaml: ${sentence}`)
  })

  it.each([
    ['enabled: false\n    base_url: http://r.example', 'providers.relay of models.yaml is not enabled'],
    ['base_url: ""', 'providers.relay.base_url of models.yaml is empty'],
    ['api_key_env: RELAY_KEY\n    base_url: http://r.example', 'RELAY_KEY is not set'],
  ])('is reported to an agent that names the provider: %s', (line, because) => {
    expect(refusal(`providers:\n  relay:\n    ${line}\n`, {}, 'relay:x')).toContain(because)
  })
})

it('is what the documentation shows', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../../docs/guide/models.md'), 'utf8')
  const [, shown = ''] = /```yaml\n(providers:.*?)```/s.exec(page) ?? []
  const text = shown.replaceAll(/\$\{\w+:(.*?)\}/g, '$1')
  const read = models(text, { RELAY_KEY: SECRET })

  expect(read.warnings).toEqual([])
  expect(read.choose(agent)).toMatchObject({
    name: 'claude:claude-opus-4-5-20251101',
    why: expect.stringContaining('Where it fails: vllm:qwen3.'),
  })
})
