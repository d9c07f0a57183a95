import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'

import { scopePartMetadata, scopePrompt } from './scope-metadata.ts'

const claude = { provider: 'anthropic', namespace: 'anthropic' }
const relay = { provider: 'relay', namespace: 'anthropic' }
const gpt = { provider: 'openai', namespace: 'openai' }
const signed = { signature: 'abc' }

/** A step of Claude's that went through the relay, as it comes out of a run's log. */
const prompt: LanguageModelV4Prompt = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: [{ type: 'text', text: 'hi' }] },
  { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.', providerOptions: { relay: signed } }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { relay: signed } },
      { type: 'text', text: 'Hello', providerOptions: { openai: { itemId: 'msg_1' } } },
      {
        type: 'tool-call',
        toolCallId: 'c1',
        toolName: 'look',
        input: {},
        providerOptions: { relay: { caller: 1 } },
      },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c1', toolName: 'look', output: { type: 'text', value: '1' } },
    ],
  },
]

describe('the prompt of a provider', () => {
  it('contains its own metadata under the key of its package', () => {
    const [, , thought, said] = scopePrompt(prompt, relay)

    expect(thought?.content).toEqual([
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: signed } },
    ])
    expect(said?.content).toMatchObject([
      { type: 'reasoning', providerOptions: { anthropic: signed } },
      { type: 'text', text: 'Hello' },
      { type: 'tool-call', providerOptions: { anthropic: { caller: 1 } } },
    ])
    expect(JSON.stringify(said)).not.toContain('openai')
  })

  it.each([
    ['another vendor', gpt],
    ['another provider of the same package', claude],
  ])('contains no signature and no signed reasoning of the first provider, for %s', (_which, other) => {
    const scoped = scopePrompt(prompt, other)

    expect(JSON.stringify(scoped)).not.toMatch(/abc|Hm\.|caller/)
    expect(scoped.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(scoped[2]?.content).toMatchObject([
      other === gpt
        ? { type: 'text', providerOptions: { openai: { itemId: 'msg_1' } } }
        : { type: 'text', text: 'Hello' },
      { type: 'tool-call', toolCallId: 'c1' },
    ])
  })
})

describe('the metadata of a provider', () => {
  const part = { type: 'reasoning-end', id: 'r', providerMetadata: { anthropic: signed } } as const

  it("is stored under the provider's name", () => {
    expect(scopePartMetadata(part, relay)).toEqual({ ...part, providerMetadata: { relay: signed } })
    expect(scopePartMetadata(part, claude)).toBe(part)
  })

  it('is sent back unchanged', () => {
    const { providerMetadata: providerOptions } = scopePartMetadata(part, relay) as typeof part
    const content = [{ type: 'reasoning' as const, text: 'Hm.', providerOptions }]

    expect(scopePrompt([{ role: 'assistant', content }], relay)[0]).toMatchObject({
      content: [{ providerOptions: { anthropic: signed } }],
    })
  })
})
