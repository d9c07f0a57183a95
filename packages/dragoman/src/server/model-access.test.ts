import { describe, expect, it } from 'vitest'

import { defineAgent, type AgentModel } from '../agents/index.ts'
import type { Json } from '../events/index.ts'
import { createModels, modelsFileSchema, type ModelsOptions } from '../models/index.ts'
import { scriptedModel } from '../testing/index.ts'
import { createModelAccess } from './model-access.ts'

type Case = Partial<ModelsOptions> & {
  readonly section?: Json
  readonly quotas?: Json
  readonly own?: AgentModel
  readonly allowed?: unknown
}

const ENV = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' }

function access({ section = null, quotas = null, own = 'sonnet', allowed, ...options }: Case = {}) {
  const models = createModels({ env: ENV, offlinePace: 0, ...options })
  const limits = allowed === undefined ? {} : { models: { allowed: allowed as string[] } }
  const agent = defineAgent({ id: 'dice', instructions: '', tools: [], model: own, ...limits })
  const created = createModelAccess({ models, modules: [{ agent }], sections: { models: section, quotas } })
  return {
    ...created,
    modelOf: (userId: string) => created.modelOf(agent, userId),
    /** The model that answers a user. */
    answering: (userId: string, model?: string) =>
      models.choose(created.settingsFor(agent, userId, model)).name,
  }
}

describe('createModelAccess', () => {
  it('allows the agents’ own models and those that are configured, unless there is a list', () => {
    const file = modelsFileSchema.parse({
      models: { big: { provider: 'openai', model_name: 'gpt-big' } },
      global_fallback: 'openai/gpt-last',
    })
    const { answering, list } = access({ file, own: { primary: 'anthropic/claude-x', fallback: 'haiku' } })

    for (const name of ['haiku', 'sonnet', 'anthropic', 'big', 'openai/gpt-big', 'openai', 'offline'])
      expect(answering('ada', name)).not.toBe('anthropic:claude-x')
    // models.yaml names models, and not the agent's own.
    expect(answering('ada')).toBe('openai:gpt-last')
    expect(answering('ada', 'anthropic/claude-x')).toBe('anthropic:claude-x')
    expect(() => answering('ada', 'openai/gpt-other')).toThrow('model: openai/gpt-other is not allowed.')
    expect(list('ada').toSorted()).toEqual(
      'anthropic/claude-haiku-5-5 anthropic/claude-sonnet-5-5 anthropic/claude-x openai/gpt-6-astra openai/gpt-big'
        .split(' ')
        .concat('openai/gpt-last'),
    )
  })

  it('allows what server, agent and tier allow', () => {
    const { answering, modelOf, list } = access({
      section: {
        allowed: ['anthropic/*', 'openai/gpt-x'],
        tiers: { free: { allowed: ['haiku', 'openai/*'] } },
      },
      quotas: { tiers: { pro: ['ben'] }, rules: [] },
      allowed: ['anthropic/*'],
    })

    expect(answering('ada')).toBe('anthropic:claude-haiku-5-5')
    expect(answering('ben')).toBe('anthropic:claude-sonnet-5-5')
    expect(answering('ben', 'anthropic/claude-opus-9')).toBe('anthropic:claude-opus-9')
    expect(() => answering('ada', 'sonnet')).toThrow('Use anthropic/claude-haiku-5-5, offline.')
    expect(() => answering('ben', 'openai/gpt-x')).toThrow('Use anthropic/*, offline.')
    expect(modelOf('ada').name).toBe('anthropic:claude-haiku-5-5')
    expect(list('ada', 'dice')).toEqual(['anthropic/claude-haiku-5-5'])
    expect(list('ada')).toEqual(['anthropic/claude-haiku-5-5', 'openai/gpt-x'])
  })

  it('lets the owner run any model, and a guest choose none', () => {
    const { answering, requireModel } = access({ section: { allowed: ['haiku'] } })

    expect(answering('local', 'anthropic/claude-opus-9')).toBe('anthropic:claude-opus-9')
    expect(answering('local')).toBe('anthropic:claude-sonnet-5-5')
    expect(() => requireModel({ userId: 'guest_abcdefghijkl', agent: 'dice', model: 'haiku' })).toThrow(
      'guests cannot choose a model',
    )
    expect(answering('guest_abcdefghijkl')).toBe('anthropic:claude-haiku-5-5')
  })

  it('leaves out fallbacks that are not allowed', async () => {
    const { settingsFor } = access({ section: { allowed: ['sonnet'] } })
    const agent = defineAgent({
      id: 'd',
      instructions: '',
      tools: [],
      model: { primary: 'sonnet', fallback: 'openai' },
    })
    const models = createModels({ env: ENV, offlinePace: 0 })

    expect(models.choose(settingsFor(agent, 'local')).why).toContain('openai')
    expect(models.choose(settingsFor(agent, 'ada')).why).not.toContain('openai')
  })

  it('refuses where no allowed model can answer', () => {
    const { answering, modelOf } = access({ section: { allowed: ['google/*'] } })

    expect(() => answering('ada')).toThrow(
      'model: anthropic/claude-sonnet-5-5 is not allowed. Use google/*, offline.',
    )
    expect(modelOf('ada').name).toBe('anthropic:claude-sonnet-5-5')
  })

  it('judges the model that replaces all others, and not the one that is named', () => {
    expect(access({ override: 'openai/gpt-x' }).answering('ada', 'haiku')).toBe('openai:gpt-x')
    const section = { allowed: ['haiku'] }
    expect(access({ override: 'openai/gpt-x', section }).answering('ada')).toBe('anthropic:claude-haiku-5-5')
    const none = access({ override: 'openai/gpt-x', section: { allowed: ['google/*'] } })
    expect(() => none.answering('ada', 'haiku')).toThrow('model: openai/gpt-x is not allowed.')
  })

  it('knows a model object as an agent’s own', () => {
    const model = scriptedModel(['Hello'])
    const { answering } = access({ own: model, allowed: ['haiku'], section: { allowed: ['haiku'] } })

    expect(access({ own: model }).answering('ada')).toBe(`${model.provider}:${model.modelId}`)
    expect(answering('ada')).toBe('anthropic:claude-haiku-5-5')
  })

  it.each<[sentence: string, mistake: Case]>([
    ['config.yaml: models.alowed is not known: is allowed meant?', { section: { alowed: ['haiku'] } }],
    ['config.yaml: models.allowed must not be empty.', { section: { allowed: [] } }],
    ['config.yaml: models.allowed must be a list.', { section: { allowed: 'haiku' } }],
    ['config.yaml: models.allowed[1] is not a known model.', { section: { allowed: ['haiku', 'haikuu'] } }],
    ['config.yaml: models.allowed[0] may have one *', { section: { allowed: ['*/claude'] } }],
    ['config.yaml: models.tiers.free has no value', { section: { tiers: { free: null } } }],
    ['config.yaml: models.tiers.free.allowed is missing.', { section: { tiers: { free: {} } } }],
    [
      'config.yaml: models.tiers.owner is no tier. Use one of free, guest, pro.',
      { section: { tiers: { owner: { allowed: ['haiku'] } } }, quotas: { tiers: { pro: [] }, rules: [] } },
    ],
    ['Agent "dice": models.allowed[0] is not a known model.', { allowed: ['claude'] }],
    ['Agent "dice": models.allowed must be a list of models', { allowed: 'haiku' }],
  ])('refuses to start: %s', (sentence, mistake) => {
    expect(() => access(mistake)).toThrow(sentence)
  })
})
