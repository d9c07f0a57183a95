import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { assert, constantFrom, integer, array, property } from 'fast-check'
import { describe, expect, it } from 'vitest'

import { CUT_OFF_NOTICE, isServerNote } from '../events/index.ts'
import { contextWindowOf, maxInputTokens } from './context-window.ts'
import { fitContext, tokensOf } from './fit-context.ts'

type Message = LanguageModelV4Message

const system: Message = { role: 'system', content: 'You are tested.' }
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] })
const says = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }] })
const calls = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'look', input: {} }],
})
const outcome = (id: string, value: string): Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId: id, toolName: 'look', output: { type: 'text', value } }],
})

/** What the texts, calls and outcomes of a prompt say. */
function wordsOf(prompt: readonly Message[]): string[] {
  return prompt.flatMap(({ content }) =>
    typeof content === 'string'
      ? [content]
      : content.map((part) => {
          if (part.type === 'text') return isServerNote(part.text) ? 'note' : part.text.slice(0, 12)
          if (part.type === 'tool-call') return part.toolCallId
          if (part.type !== 'tool-result' || part.output.type !== 'text') return part.type
          return part.output.value.startsWith('[This outcome') ? 'left out' : part.output.value.slice(0, 12)
        }),
  )
}

const long = (word: string): string => `${word} `.repeat(400 / (word.length + 1))

describe('fitContext', () => {
  const prompt = [
    system,
    user('first'),
    calls('a'),
    outcome('a', long('old')),
    says(long('one')),
    user('second'),
    says(long('two')),
    user('newest'),
    calls('b'),
    outcome('b', long('early')),
    calls('c'),
    outcome('c', long('late')),
  ]
  const all = tokensOf({ prompt })
  const fit = (most: number) => wordsOf(fitContext({ prompt }, most).request.prompt)

  it('leaves a short request unchanged', () => {
    const request = { prompt }

    expect(fitContext(request, all)).toEqual({ request, tokens: all })
    expect(fitContext(request, Infinity).request).toBe(request)
  })

  it.each<[string, number, string[]]>([
    [
      'the outcomes of older turns first',
      all - 20,
      [
        'note',
        'first',
        'a',
        'left out',
        'one one one ',
        'second',
        'two two two ',
        'newest',
        'b',
        'early early ',
        'c',
        'late late la',
      ],
    ],
    [
      'then older turns, the oldest first',
      all - 150,
      ['note', 'second', 'two two two ', 'newest', 'b', 'early early ', 'c', 'late late la'],
    ],
    ['then outcomes of the newest turn', all - 360, ['note', 'newest', 'b', 'left out', 'c', 'late late la']],
    ['then its older steps', all - 465, ['note', 'newest', 'c', 'late late la']],
    ['and shortens the newest outcomes at last', 10, ['note', 'newest', 'c', 'left out']],
  ])('leaves out %s', (_what, most, words) => {
    expect(fit(most)).toEqual(['You are tested.', ...words])
  })

  it('keeps as much of the newest outcomes as fits, the same of each', () => {
    const call = (toolCallId: string) => ({
      type: 'tool-call' as const,
      toolCallId,
      toolName: 'look',
      input: {},
    })
    const result = (toolCallId: string, value: string) => ({
      type: 'tool-result' as const,
      toolCallId,
      toolName: 'look',
      output: { type: 'text' as const, value },
    })
    const both: Message[] = [
      user('go'),
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'tool', content: [result('a', 'x'.repeat(90_000)), result('b', 'y'.repeat(90_000))] },
    ]

    const { request: fitted, tokens } = fitContext({ prompt: both }, 10_000)

    expect(tokensOf(fitted)).toBe(tokens)
    expect(tokens).toBeLessThanOrEqual(10_000)
    expect(tokens).toBeGreaterThan(9000)
    expect(JSON.stringify(fitted).match(/The rest of this outcome was left out/g)).toHaveLength(2)
  })

  it('counts the tools', () => {
    const tools = [{ type: 'function' as const, name: long('tool'), inputSchema: {} }]

    expect(fitContext({ prompt, tools }, all).request.prompt).not.toEqual(prompt)
  })

  it('leaves a long request of one message unchanged', () => {
    const request = { prompt: [system, user(long('word'))] }

    expect(fitContext(request, 1).request).toBe(request)
  })

  it('does not treat a server note as the newest user message', () => {
    const cut = [user('old'), says(long('old')), user('newest'), says(long('half')), user(CUT_OFF_NOTICE)]

    expect(wordsOf(fitContext({ prompt: cut }, 150).request.prompt)).toEqual([
      'note',
      'newest',
      'half half ha',
      CUT_OFF_NOTICE.slice(0, 12),
    ])
  })

  it('keeps each call with its outcome, the system prompt and the newest message, and adds one note', () => {
    const turn = array(constantFrom('says', 'calls', 'user', 'note'), { maxLength: 12 })
    assert(
      property(turn, integer({ min: 1, max: 1500 }), (kinds, most) => {
        const messages = kinds.flatMap((kind, index): Message[] => {
          if (kind === 'says') return [says(long(`s${index}`))]
          if (kind === 'user') return [user(`u${index}`)]
          if (kind === 'note') return [user(CUT_OFF_NOTICE)]
          return [calls(`c${index}`), outcome(`c${index}`, long(`o${index}`))]
        })
        const before = [system, user('begin'), ...messages]

        const { prompt: after } = fitContext({ prompt: before }, most).request

        const open = after.flatMap(({ role, content }) =>
          role === 'assistant'
            ? content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))
            : [],
        )
        const results = after.flatMap(({ role, content }) =>
          role === 'tool'
            ? content.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : []))
            : [],
        )
        const newest = kinds.findLastIndex((kind) => kind === 'user')
        expect(results).toEqual(open)
        expect(after[0]).toBe(system)
        expect(after[1]?.role).toBe('user')
        expect(wordsOf(after)).toContain(newest < 0 ? 'begin' : `u${newest}`)
        expect(JSON.stringify(after).match(/older parts of this conversation/g)?.length ?? 0).toBeLessThan(2)
        expect(tokensOf({ prompt: after })).toBeLessThanOrEqual(Math.max(most, tokensOf({ prompt: before })))
      }),
    )
  })
})

describe('the context window', () => {
  it.each([
    ['claude-sonnet-5-5', 1_000_000],
    ['claude-haiku-4-5', 200_000],
    ['anthropic/claude-opus-4-6', 1_000_000],
    ['gpt-6-astra', 272_000],
    ['gpt-4o-mini', 128_000],
    ['gpt-4.1', 1_047_576],
    ['gpt-4', 8192],
    ['gpt-oss:20b', 128_000],
    ['o3-mini', 200_000],
    ['gemini-flash-latest', 1_048_576],
    ['qwen3', 128_000],
  ])('of %s is %i', (modelId, tokens) => {
    expect(contextWindowOf(modelId)).toBe(tokens)
  })

  it('includes the answer', () => {
    expect(maxInputTokens(100_000, 20_000)).toBe(72_000)
    expect(maxInputTokens(100_000, 90_000)).toBe(45_000)
    expect(maxInputTokens(8000)).toBe(6300)
    expect(maxInputTokens(Infinity)).toBe(Infinity)
  })
})
