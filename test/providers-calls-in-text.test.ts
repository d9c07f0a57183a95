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
const says = (...texts: string[]) => ({
  body: [...texts.flatMap((content) => chunk({ content })), ...chunk({}, 'stop')],
})
const tools = [{ type: 'function' as const, name: 'now', inputSchema: { type: 'object' as const } }]
const QWEN = '<tool_call>\n{"name": "now", "arguments": {}}\n</tool_call>'

describe('a call that is written as text', () => {
  it.each([
    QWEN,
    QWEN.replace('\n</tool_call>', ''),
    `<think>Hm</think>\n\n${QWEN}\n${QWEN}`,
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.now:0<|tool_call_argument_begin|>{}<|tool_call_end|>' +
      '<|tool_calls_section_end|>',
    '<function=now>\n</function>',
    '[TOOL_CALLS]now{}',
  ])('is no answer: %s', async (words) => {
    provider.play(says(...Array.from(words)))

    const { said, error } = await askModel(provider.url, 'chat', { tools, hasFallback: false })

    expect(said).toBe('')
    expect(error).toMatchObject({
      code: 'model-failed',
      message: expect.stringContaining('turn on its parser of tool calls') as string,
    })
  })

  it('is asked for again', async () => {
    provider.play(says(QWEN), says('Noon.'))
    const options = { tools, retries: 1, agent: { retryDelayMs: 0 }, hasFallback: false }

    const { said, error } = await askModel(provider.url, 'chat', options)

    expect({ said, error }).toEqual({ said: 'Noon.', error: undefined })
  })

  it.each([`${QWEN}\n\nThis is how it looks.`, '<tool_calling> is no mark.', '<tool', `Look: ${QWEN}`])(
    'is none with other words: %j',
    async (words) => {
      provider.play(says(...Array.from(words), ''), says('Again.'))

      const { said } = await askModel(provider.url, 'chat', { tools, hasFallback: false })

      expect(said).toBe(words)
    },
  )

  it('is text where there are no tools', async () => {
    provider.play(says(QWEN))

    expect(await askModel(provider.url, 'chat')).toMatchObject({ said: QWEN, error: undefined })
  })

  it('delays no other words and thoughts', async () => {
    const body = [...chunk({ reasoning_content: 'Hm' }), ...says('<', 'b>Hello', '!').body]
    provider.play({ body })

    const { said, parts } = await askModel(provider.url, 'chat', { tools })

    expect(said).toBe('<b>Hello!')
    expect(parts.map(({ type }) => type)).toEqual(expect.arrayContaining(['reasoning-delta', 'text-delta']))
  })
})
