import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content']

/** The request for the answer to a conversation that has come so far. Metadata is of the provider `wire`. */
async function requestAfter(
  api: string,
  content: AssistantContent,
  fields: object = {},
): Promise<{ readonly body: Record<string, unknown>; readonly text: string }> {
  const words = wireWords.find((each) => each.api === api)
  if (!words) throw new Error(`There are no words of ${api}.`)
  provider.play({ body: [...words.begin, ...words.text('Hello'), ...words.end] })
  const user: LanguageModelV4Message = { role: 'user', content: [{ type: 'text', text: 'hi' }] }
  const results = content.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            type: 'tool-result' as const,
            toolCallId: part.toolCallId,
            toolName: part.toolName,
            output: { type: 'text' as const, value: 'seen' },
          },
        ]
      : [],
  )
  const next: LanguageModelV4Message = results.length > 0 ? { role: 'tool', content: results } : user
  const { error } = await askModel(provider.url, api, {
    provider: fields,
    prompt: [user, { role: 'assistant', content }, next],
  })
  expect(error).toBeUndefined()
  const text = provider.requests[0]?.body ?? ''
  return { body: JSON.parse(text) as Record<string, unknown>, text }
}

const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: {} } as const

describe('reasoning of chat completions', () => {
  const thought = {
    type: 'reasoning',
    text: 'Let me look.',
    providerOptions: { wire: { isContent: true } },
  } as const

  const chunk = (delta: object, more: object = {}): string[] =>
    events({ id: 'c', choices: [{ index: 0, delta, finish_reason: null, ...more }] } as object)

  it('goes back with the calls that it led to', async () => {
    const { text } = await requestAfter('chat', [thought, call])

    expect(text).toContain('"reasoning_content":"Let me look."')
  })

  it('goes back under its other name, if it came so', async () => {
    const own = { ...thought, providerOptions: { wire: { isReasoning: true } } }
    const { text } = await requestAfter('chat', [own, call])

    expect(text).toContain('"reasoning":"Let me look."')
    expect(text).not.toContain('reasoning_content')
    expect((await requestAfter('chat', [own, { type: 'text', text: 'Hello' }])).text).not.toContain('look')
  })

  it('that is opaque goes back, and so do fields of calls', async () => {
    const fields = { provider_specific_fields: { thought_signature: 'signed' } }
    provider.play({
      body: [
        ...chunk({ reasoning: 'x', reasoning_opaque: 'sealed' }),
        ...chunk({
          tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '{}' }, ...fields }],
        }),
        ...chunk({}, { finish_reason: 'tool_calls' }),
      ],
    })
    const { parts } = await askModel(provider.url, 'chat')
    const ended = parts.find((part) => part.type === 'reasoning-end')
    const made = parts.find((part) => part.type === 'tool-call')

    expect(ended?.providerMetadata).toEqual({ wire: { isReasoning: true } })
    const { body } = await requestAfter('chat', [
      { ...call, ...(made?.providerMetadata && { providerOptions: made.providerMetadata }) },
    ])
    expect(body).toMatchObject({
      messages: [{}, { role: 'assistant', reasoning_opaque: 'sealed', tool_calls: [fields] }, {}],
    })
  })

  it.each<[string, object, object]>([
    ['in extra_content', {}, { extra_content: { google: { thought_signature: 'signed' } } }],
    ['in their function', { thought_signature: 'signed' }, {}],
  ])('that signs calls %s goes back with them', async (_where, ofFunction, ofCall) => {
    const made = (name: object) => ({ index: 0, id: 'call_1', function: { ...name, arguments: '{}' } })
    provider.play({
      body: [
        ...chunk({ tool_calls: [made({ name: 'look' })] }),
        ...chunk({ tool_calls: [{ index: 0, function: { ...ofFunction, arguments: '' }, ...ofCall }] }),
        ...chunk({}, { finish_reason: 'tool_calls' }),
      ],
    })
    const { parts } = await askModel(provider.url, 'chat')
    const part = parts.find(({ type }) => type === 'tool-call') as typeof call & { providerMetadata?: object }

    const { body } = await requestAfter('chat', [
      { ...call, providerOptions: part.providerMetadata as Record<string, never> },
    ])

    const back = { id: 'call_1', function: { name: 'look', arguments: '{}', ...ofFunction }, ...ofCall }
    expect(body).toMatchObject({ messages: [{}, { role: 'assistant', tool_calls: [back] }, {}] })
  })

  it.each<[string, AssistantContent]>([
    ['without calls', [thought, { type: 'text', text: 'Hello' }]],
    ['of another provider', [{ ...thought, providerOptions: { other: { isContent: true } } }, call]],
  ])('%s stays here', async (_what, content) => {
    expect((await requestAfter('chat', content)).text).not.toContain('Let me look.')
  })

  it.each<[string, readonly object[], readonly object[]]>([
    [
      'reasoning_details',
      [
        { type: 'reasoning.text', text: 'Let me', index: 0, format: 'x' },
        { type: 'reasoning.text', text: ' look.', index: 0, signature: null },
        { type: 'reasoning.text', signature: 'signed', index: 0 },
        { type: 'reasoning.encrypted', data: 'sealed', index: 1 },
        { type: 'reasoning.encrypted', data: 'sealed too', index: 1 },
      ],
      [
        { type: 'reasoning.text', text: 'Let me look.', index: 0, format: 'x', signature: 'signed' },
        { type: 'reasoning.encrypted', data: 'sealed', index: 1 },
        { type: 'reasoning.encrypted', data: 'sealed too', index: 1 },
      ],
    ],
    [
      'thinking_blocks',
      [
        { type: 'thinking', thinking: 'Let me', signature: '' },
        { type: 'thinking', thinking: ' look.', signature: 'signed' },
      ],
      [{ type: 'thinking', thinking: 'Let me look.', signature: 'signed' }],
    ],
  ])('goes back as %s, as it came', async (field, pieces, whole) => {
    provider.play({
      body: [
        ...pieces.flatMap((piece) => chunk({ reasoning: 'x', [field]: [piece] })),
        ...chunk({ tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '{}' } }] }),
        ...chunk({}, { finish_reason: 'tool_calls' }),
      ],
    })
    const { parts } = await askModel(provider.url, 'chat')
    const made = parts.find((part) => part.type === 'tool-call')

    const { body } = await requestAfter('chat', [
      { ...thought },
      { ...call, ...(made?.providerMetadata && { providerOptions: made.providerMetadata }) },
    ])

    expect((body['messages'] as readonly object[])[1]).toMatchObject({ role: 'assistant', [field]: whole })
    expect(body).not.toHaveProperty('messages.1.reasoning_content')
  })
})

describe('signatures of LiteLLM', () => {
  const chunk = (delta: object, finish: string | null = null): string[] =>
    events({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] } as object)

  it.each<[string, object]>([
    ['of the message', { thought_signatures: ['signed-1', 'signed-2'] }],
    ['in its fields', { provider_specific_fields: { thought_signatures: ['signed-1', 'signed-2'] } }],
  ])('%s go back as they came, with the thoughts', async (_where, fields) => {
    provider.play({
      body: [
        ...chunk({ reasoning_content: 'Let me look.' }),
        ...chunk({
          ...fields,
          tool_calls: [{ index: 0, id: 'call_1', function: { name: 'look', arguments: '{}' } }],
        }),
        ...chunk({ provider_specific_fields: null }, 'tool_calls'),
      ],
    })
    const { parts } = await askModel(provider.url, 'chat')
    const metadataOf = (type: string) => {
      const part = parts.find((each) => each.type === type) as { providerMetadata?: Record<string, never> }
      return { providerOptions: part.providerMetadata ?? {} }
    }

    const { body } = await requestAfter('chat', [
      { type: 'reasoning', text: 'Let me look.', ...metadataOf('reasoning-end') },
      { ...call, ...metadataOf('tool-call') },
    ])

    const back = { role: 'assistant', reasoning_content: 'Let me look.', ...fields }
    expect(body).toMatchObject({ messages: [{}, back, {}] })
  })
})

it('of a tool that is gone, calls go to Claude with a declaration of it', async () => {
  const { body } = await requestAfter('anthropic', [call])

  expect(body).toMatchObject({ tools: [{ name: 'look' }], tool_choice: { type: 'none' } })
  expect((await requestAfter('chat', [call])).body).not.toHaveProperty('tools')
})

describe('OpenAI’s responses', () => {
  const thought = (encrypted: string | null) =>
    ({
      type: 'reasoning',
      text: '',
      providerOptions: { wire: { itemId: 'rs_1', reasoningEncryptedContent: encrypted } },
    }) as const
  const half = { type: 'text', text: 'Half of', providerOptions: { wire: { itemId: 'msg_1' } } } as const

  it.each([{}, { store: true }])('gets whole items, with %j in models.yaml', async (fields) => {
    const { body, text } = await requestAfter('responses', [thought('sealed'), half, call], fields)

    expect(body['store']).toBe('store' in fields)
    expect(text).toContain('"encrypted_content":"sealed"')
    expect(text).toContain('Half of')
    expect(text).not.toContain('item_reference')
  })

  it('gets no id of reasoning that is not encrypted', async () => {
    const { text } = await requestAfter('responses', [thought(null), half, call])

    expect(text).toContain('Half of')
    expect(text).not.toMatch(/rs_1|item_reference/)
  })

  it('asks reasoning models for encrypted reasoning', async () => {
    provider.play({ status: 500, body: ['{}'] })
    await askModel(provider.url, 'responses', { model: 'gpt-6-astra' })

    expect(provider.requests[0]?.body).toContain('"include":["reasoning.encrypted_content"]')
  })
})
