import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const chunk = (delta: object, finish: string | null = null): string[] =>
  events({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] } as object)

describe('thoughts in the text of chat completions', () => {
  it('are reasoning', async () => {
    const texts = ['<thi', 'nk>\nThe user greets.', '\n</th', 'ink>\n\nHel', 'lo!']
    provider.play({ body: [...texts.flatMap((content) => chunk({ content })), ...chunk({}, 'stop')] })

    const { said, thoughts, error } = await askModel(provider.url, 'chat')

    expect({ said, thoughts, error }).toEqual({
      said: 'Hello!',
      thoughts: 'The user greets.',
      error: undefined,
    })
  })

  it.each([
    ['<think >', '</think >'],
    ['<think effort="high">', '</think\n>'],
  ])('may have blanks and attributes in their tags: %s', async (open, close) => {
    const pieces = Array.from(`${open}Hm${close}Hello! 1 < 2 <thinker>`)
    provider.play({ body: [...pieces.flatMap((content) => chunk({ content })), ...chunk({}, 'stop')] })

    expect(await askModel(provider.url, 'chat')).toMatchObject({
      said: 'Hello! 1 < 2 <thinker>',
      thoughts: 'Hm',
    })
  })

  it.each(['reasoning_content', 'reasoning'])('may be separated without their end: %s', async (field) => {
    const texts = ['</thi', 'nk>', '\n\n', 'Hello!'].flatMap((content) => chunk({ content }))
    provider.play({ body: [...chunk({ [field]: 'Hm' }), ...texts, ...chunk({}, 'stop')] })

    expect(await askModel(provider.url, 'chat')).toMatchObject({ said: 'Hello!', thoughts: 'Hm' })
  })

  it('have tags of other names where models.yaml says so', async () => {
    provider.play({ body: [...chunk({ content: '<thought>Hm</thought>Hello!' }), ...chunk({}, 'stop')] })
    const models = { local: { provider: 'wire', model_name: 'first', reasoning_tags: ['thought'] } }

    expect(await askModel(provider.url, 'chat', { models })).toMatchObject({ said: 'Hello!', thoughts: 'Hm' })
  })
})
