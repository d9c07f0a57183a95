import { describe, expect, it } from 'vitest'

import { createModelFilter, modelListFault } from './model-filter.ts'
import { createModels } from './create-models.ts'
import { modelsFileSchema } from './models-file.ts'
import { toFullName } from './model-names.ts'

const file = modelsFileSchema.parse({
  providers: { relay: { base_url: 'https://relay.example' } },
  models: { big: { provider: 'relay', model_name: 'big-1' } },
})
const models = createModels({ env: { ANTHROPIC_API_KEY: 'k' }, offlinePace: 0, file })
const findFullName = (name: string) => toFullName(models.resolveName(name))
const filterOf = (...lists: string[][]) => createModelFilter(lists, findFullName)

describe('createModelFilter', () => {
  it.each<[entry: string, yes: string[], no: string[]]>([
    ['haiku', ['anthropic:claude-haiku-5-5'], ['anthropic:claude-haiku-5', 'anthropic:claude-haiku-5-5-max']],
    ['anthropic', ['anthropic:claude-sonnet-5-5'], ['anthropic:claude-opus-9']],
    ['anthropic/*', ['anthropic:claude-opus-9'], ['openai:gpt-x', 'relay:big-1']],
    [
      'anthropic:claude-haiku*',
      ['anthropic:claude-haiku-6'],
      ['anthropic:Claude-Haiku-6', 'anthropic:claude'],
    ],
    ['openrouter/x/*', ['openrouter:x/y:free'], ['openrouter:xy/z', 'openrouter:x']],
    ['big', ['relay:big-1'], ['relay:big-2', 'big-1', 'anthropic:big-1']],
  ])('%s allows %j and not %j', (entry, yes, no) => {
    const { allows } = filterOf([entry])

    expect(yes.filter((name) => !allows(name))).toEqual([])
    expect(no.filter(allows)).toEqual([])
  })

  it.each([
    'flash/../pro',
    'flash/..',
    'flash?x=1',
    'flash#x',
    'flash%2e%2e/pro',
    'flash\\..\\pro',
    'flash x',
    './x',
  ])('does not let %j through a *', (rest) => {
    const { allows } = filterOf(['google/*'])

    expect(allows('google:flash')).toBe(true)
    expect(allows(`google:${rest}`)).toBe(false)
  })

  it('allows what all lists allow', () => {
    const { allows, names } = filterOf(
      ['anthropic/*', 'openai/gpt-x'],
      ['haiku', 'openai/*'],
      ['openai/*', 'haiku'],
    )

    expect(['openai:gpt-x', 'anthropic:claude-haiku-5-5'].every(allows)).toBe(true)
    expect(['openai:gpt-y', 'anthropic:claude-opus-9'].some(allows)).toBe(false)
    expect(names).toEqual(['openai:gpt-x', 'anthropic:claude-haiku-5-5'])
  })

  it('always allows the demo model', () => {
    expect(filterOf(['haiku'], ['openai/*']).allows('offline')).toBe(true)
  })

  it('says in two languages and few words what is refused, and what is allowed', () => {
    const long = Array.from({ length: 50 }, (_, index) => `openai/${'x'.repeat(150)}${index}`)
    const { message, code, translations } = filterOf(['haiku', 'openai/*']).refusal('anthropic:claude-opus-9')

    expect({ message, code, zh: translations['zh'] }).toEqual({
      code: 'forbidden',
      message:
        'model: anthropic/claude-opus-9 is not allowed. Use anthropic/claude-haiku-5-5, openai/*, offline.',
      zh: 'model：不允许使用 anthropic/claude-opus-9。可以使用 anthropic/claude-haiku-5-5、openai/*、offline。',
    })
    const sentence = filterOf(long).refusal(`openai:${'y'.repeat(1000)}`).message
    expect(sentence.length).toBeLessThan(1200)
    expect(sentence).toContain('or one of 43 others.')
  })
})

describe('modelListFault', () => {
  it.each<[string, unknown]>([
    [' must be a list of models', 'haiku'],
    [' must be a list of models', []],
    ['[0] must be the name of a model', [7]],
    ['[0] must be the name of a model', [' haiku']],
    ['[1] must be the name of a model', ['haiku', '']],
    ['[0] may have one *, at its end', ['*/haiku']],
    ['[0] may have one *, at its end', ['anthropic/**']],
    ['[0] is not a known model', ['*']],
    ['[0] is not a known model', ['anthropic*']],
    ['[0] is not a known model', ['antropic/claude-haiku-5-5']],
    ['[0] is not a known model', ['Anthropic/*']],
  ])('says %j of %j', (fault, list) => {
    expect(modelListFault(list, findFullName)).toContain(fault)
  })

  it('finds none in names and beginnings of names', () => {
    expect(
      modelListFault(['haiku', 'offline', 'openai/gpt-x', 'ollama/*', 'big'], findFullName),
    ).toBeUndefined()
  })
})
