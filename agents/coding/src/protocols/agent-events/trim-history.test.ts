import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { AssistantPart, Message, UserPart } from 'dragoman/events'
import { tokensOf, trimHistory } from './trim-history.ts'

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

describe('trimHistory', () => {
  it('cuts to the limit and begins with a user message', () => {
    fc.assert(
      fc.property(conversation, most, (messages, limit) => {
        const result = trimHistory(messages, limit)
        expect(tokensOf(partsOf(result), Infinity)).toBeLessThanOrEqual(limit)
        expect(result[0]?.role ?? 'user').toBe('user')
      }),
    )
  })

  it('drops the oldest parts, but keeps the question of the last turn', () => {
    fc.assert(
      fc.property(conversation, most, (messages, limit) => {
        const [first, ...rest] = trimHistory(messages, limit)
        const end = partsOf(rest)
        expect(partsOf(messages).slice(partsOf(messages).length - end.length)).toEqual(end)
        if (first) expect(messages).toContain(first)
      }),
    )
  })

  it('keeps steps whole', () => {
    fc.assert(
      fc.property(conversation, most, (messages, limit) => {
        for (const { role, parts } of trimHistory(messages, limit))
          if (role === 'assistant') expect(parts[0]?.type).toBe('step')
      }),
    )
  })

  it('returns a short conversation unchanged', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const from = messages.findIndex(({ role }) => role === 'user')
        expect(trimHistory(messages, Number.MAX_SAFE_INTEGER)).toEqual(from < 0 ? [] : messages.slice(from))
      }),
    )
  })

  it('keeps as many steps of the last turn as fit', () => {
    const text = 'x'.repeat(400)
    const turn = (index: number): AssistantPart[] => [
      { type: 'step', model: '' },
      { type: 'text', partId: `p${index}`, text, open: false },
    ]
    const question: Message = { role: 'user', id: 'u', parts: [{ type: 'text', text: 'Go.' }] }
    const answer = (...steps: number[]): Message => ({
      role: 'assistant',
      id: 'a',
      status: 'finished',
      parts: steps.flatMap(turn),
    })

    expect(trimHistory([question, answer(1, 2, 3)], 250)).toEqual([question, answer(2, 3)])
    expect(trimHistory([question, answer(1, 2, 3)], 50)).toEqual([question])
    expect(trimHistory([question, answer(1), question, answer(2)], 150)).toEqual([
      question,
      question,
      answer(2),
    ])
  })
})
