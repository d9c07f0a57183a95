import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { AssistantPart, Message, UserPart } from 'dragoman/events'
import { tokensOf, trimmed } from './trim.ts'

const words = fc.oneof(fc.lorem({ maxCount: 20 }), fc.constantFrom('中文，全角', '', 'x'.repeat(400)))
const tool = { type: 'tool', callId: 'c', tool: 't', state: 'returned', inputText: '', input: {} } as const
const call = words.map((text): AssistantPart => ({ ...tool, output: text, text }))
const step = fc.tuple(words, fc.array(call, { maxLength: 2 })).map(([text, calls]) => {
  const parts: AssistantPart[] = [{ type: 'step', model: '' }]
  return parts.concat({ type: 'text', partId: 'p', text, open: false }, calls)
})
const message = fc.oneof(
  words.map((text): Message => ({ role: 'user', id: 'u', parts: [{ type: 'text', text }] })),
  fc
    .array(step, { minLength: 1, maxLength: 5 })
    .map((steps): Message => ({ role: 'assistant', id: 'a', status: 'finished', parts: steps.flat() })),
)
const conversation = fc.array(message, { maxLength: 12 })
const most = fc.integer({ min: 0, max: 400 })

const partsOf = (messages: readonly Message[]) =>
  messages.flatMap(({ parts }): readonly (UserPart | AssistantPart)[] => parts)

describe('a conversation that is too long', () => {
  it('is cut to what a model takes, and begins with the user’s words', () => {
    fc.assert(
      fc.property(conversation, most, (messages, limit) => {
        const kept = trimmed(messages, limit)
        expect(tokensOf(partsOf(kept), Infinity)).toBeLessThanOrEqual(limit)
        expect(kept[0]?.role ?? 'user').toBe('user')
      }),
    )
  })

  it('loses its oldest: what is kept is its end, but for the words that were answered', () => {
    fc.assert(
      fc.property(conversation, most, (messages, limit) => {
        const [first, ...kept] = trimmed(messages, limit)
        const end = partsOf(kept)
        expect(partsOf(messages).slice(partsOf(messages).length - end.length)).toEqual(end)
        if (first) expect(messages).toContain(first)
      }),
    )
  })

  it('keeps steps whole', () => {
    fc.assert(
      fc.property(conversation, most, (messages, limit) => {
        for (const { role, parts } of trimmed(messages, limit))
          if (role === 'assistant') expect(parts[0]?.type).toBe('step')
      }),
    )
  })

  it('is left as it is where it is not', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const from = messages.findIndex(({ role }) => role === 'user')
        expect(trimmed(messages, Number.MAX_SAFE_INTEGER)).toEqual(from < 0 ? [] : messages.slice(from))
      }),
    )
  })

  it('keeps as much of its last turn as fits', () => {
    const text = 'x'.repeat(400)
    const turn = (index: number): AssistantPart[] => [
      { type: 'step', model: '' },
      { type: 'text', partId: `p${index}`, text, open: false },
    ]
    const asked: Message = { role: 'user', id: 'u', parts: [{ type: 'text', text: 'Go.' }] }
    const said = (...steps: number[]): Message => ({
      role: 'assistant',
      id: 'a',
      status: 'finished',
      parts: steps.flatMap(turn),
    })

    expect(trimmed([asked, said(1, 2, 3)], 250)).toEqual([asked, said(2, 3)])
    expect(trimmed([asked, said(1, 2, 3)], 50)).toEqual([asked])
    expect(trimmed([asked, said(1), asked, said(2)], 150)).toEqual([asked, asked, said(2)])
  })
})
