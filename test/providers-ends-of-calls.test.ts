import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

const begin = wireWords.find(({ api }) => api === 'responses')?.begin ?? []
const input = '{"at":1}'
const called = { type: 'function_call', id: 'f', call_id: 'c', name: 'look', arguments: input }
const other = { ...called, id: 'g', call_id: 'd', arguments: '{}' }
const custom = { type: 'custom_tool_call', id: 'f', call_id: 'c', name: 'write', input: 'two words' }
const event = (type: string, more: object): string[] => events({ type: `response.${type}`, ...more })
const added = (item: object, index = 0): string[] =>
  event('output_item.added', { output_index: index, item: { ...item, status: 'in_progress' } })
const end = (output: object[], status = 'completed'): string[] =>
  event(status, { response: { id: 'r', output, usage: { input_tokens: 7, output_tokens: 3 } } })
const place = { item_id: 'f', output_index: 0 }
const delta = event('function_call_arguments.delta', { ...place, delta: '{"at"' })
const rest = event('function_call_arguments.delta', { ...place, delta: ':1}' })
const whole = event('function_call_arguments.done', { ...place, arguments: input })
const started = added({ ...called, arguments: '' })
const customStarted = added({ ...custom, input: '' })
const write = ['write"two words"']

const ANSWERS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['its arguments have an end', [...started, ...delta, ...rest, ...whole, ...end([])], ['look{"at":1}']],
  ['its arguments come with their end alone', [...started, ...whole, ...end([])], ['look{"at":1}']],
  ['the whole output has it', [...started, ...delta, ...end([called])], ['look{"at":1}']],
  [
    'the whole output has it under another id',
    [...started, ...delta, ...end([{ ...called, id: 'x' }])],
    ['look{"at":1}'],
  ],
  ['its answer is complete', [...started, ...delta, ...rest, ...end([])], ['look{"at":1}']],
  [
    'it is the first of two',
    [
      ...started,
      ...whole,
      ...added({ ...other, arguments: '' }, 1),
      ...event('output_item.done', { output_index: 1, item: other }),
      ...end([called, other]),
    ],
    ['look{}', 'look{"at":1}'],
  ],
  [
    'its end has no arguments',
    [
      ...started,
      ...whole,
      ...event('output_item.done', { output_index: 0, item: { ...called, arguments: '' } }),
      ...end([]),
    ],
    ['look{"at":1}'],
  ],
  [
    'its input is a text with an end',
    [
      ...customStarted,
      ...event('custom_tool_call_input.delta', { ...place, delta: 'two words' }),
      ...event('custom_tool_call_input.done', { ...place, input: 'two words' }),
      ...end([]),
    ],
    write,
  ],
  ['its input is a text in the whole output', [...customStarted, ...end([custom])], write],
  ['only the whole output has its text', end([custom]), write],
  [
    'its input is a text and it has no other id',
    [
      ...event('output_item.added', { output_index: 0, item: { ...custom, id: null, input: undefined } }),
      ...event('output_item.done', { output_index: 0, item: { ...custom, id: null } }),
      ...end([]),
    ],
    write,
  ],
]

describe('a call of responses that has no end of its own', () => {
  it.each(ANSWERS)('is as it must be if %s', async (_name, body, outcome) => {
    provider.play({ body: [...begin, ...body] })

    const { calls, parts, error, warnings } = await askModel(provider.url, 'responses')

    const ids = (type: string) =>
      parts.flatMap((part) => (part.type === type && 'id' in part ? [part.id] : []))
    expect({ calls: calls.map(({ tool, input: own }) => tool + own), error, warnings }).toEqual({
      calls: outcome,
      error: undefined,
      warnings: [],
    })
    if (outcome.length > 0)
      expect(ids('tool-input-end').toSorted()).toEqual(ids('tool-input-start').toSorted())
  })
  it('does not run if the answer was cut before its arguments were whole', async () => {
    const cut = event('output_item.done', {
      output_index: 1,
      item: { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text: 'Hi' }] },
    })
    provider.play({ body: [...begin, ...started, ...delta, ...cut, ...end([], 'incomplete')] })

    const { said, calls, error } = await askModel(provider.url, 'responses')

    expect({ said, calls, error }).toEqual({ said: 'Hi', calls: [], error: undefined })
  })
})

const chunk = (words: object, finish: string | null = null): string[] =>
  events({ choices: [{ index: 0, delta: words, finish_reason: finish }] } as object)
const piece = (index: number | undefined, name: string | undefined, args?: string, id?: string) => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: args },
})
const pieces = (...all: object[]): string[] => chunk({ tool_calls: all })
const stop = chunk({}, 'tool_calls')
const text = (name?: string, words?: string) => ({
  index: 0,
  ...(name !== undefined && { id: 'c', type: 'custom' }),
  custom: { name, input: words },
})
const CHATS: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  [
    'its name comes in pieces',
    [
      ...pieces(piece(0, 'lo', undefined, 'c')),
      ...pieces(piece(0, 'o')),
      ...pieces(piece(0, 'k', '')),
      ...pieces(piece(0, undefined, '{"at":')),
      ...pieces(piece(0, undefined, '1}')),
      ...stop,
    ],
    ['look{"at":1}'],
  ],
  [
    'its whole name comes again before its arguments',
    [
      ...pieces(piece(0, 'look', '', 'c')),
      ...pieces(piece(0, 'look', '', 'c')),
      ...pieces(piece(0, 'look', '{}')),
      ...stop,
    ],
    ['look{}'],
  ],
  [
    'its id comes before its name',
    [...pieces(piece(0, '', '', 'c')), ...pieces(piece(0, 'look')), ...pieces(piece(0, '', '{}')), ...stop],
    ['look{}'],
  ],
  [
    'calls without arguments follow each other',
    [
      ...pieces(piece(0, 'a', '', 'x')),
      ...pieces(piece(0, 'b', '', 'y')),
      ...pieces(piece(1, 'c', '', 'z')),
      ...stop,
    ],
    ['a', 'b', 'c'],
  ],
  [
    'calls without an index follow each other',
    [...pieces(piece(undefined, 'a'), piece(undefined, 'b')), ...pieces(piece(undefined, 'c')), ...stop],
    ['a', 'b', 'c'],
  ],
  [
    'it comes after the end',
    [...chunk({ content: 'Hi' }, 'tool_calls'), ...pieces(piece(0, 'look', '', 'c'))],
    ['look'],
  ],
  [
    'its input is a text in pieces',
    [
      ...pieces(text('write', '')),
      ...pieces(text(undefined, 'two')),
      ...pieces(text(undefined, ' words')),
      ...stop,
    ],
    write,
  ],
  [
    'its input is a text and the answer is whole',
    events({
      choices: [{ message: { tool_calls: [text('write', 'two words')] }, finish_reason: 'tool_calls' }],
    } as object),
    write,
  ],
]

describe('a call of chat completions', () => {
  it.each(CHATS)('is as it must be if %s', async (_name, body, outcome) => {
    provider.play({ body: [...chunk({ content: 'Hi' }), ...body] })

    const { calls, said, error, warnings } = await askModel(provider.url, 'chat')

    expect({ calls: calls.map(({ tool, input: own }) => tool + own), error, warnings }).toEqual({
      calls: outcome,
      error: undefined,
      warnings: [],
    })
    expect(said).toContain('Hi')
  })

  it('is left out alone if it has no name', async () => {
    const nameless = [...pieces(piece(0, undefined, '{}', 'c')), ...chunk({ tool_calls: {} })]
    provider.play({
      body: [...chunk({ content: 'Hi' }), ...nameless, ...pieces(piece(1, 'look', '{}', 'd')), ...stop],
    })

    const { said, calls, error, warnings } = await askModel(provider.url, 'chat')

    expect({ said, calls, error }).toEqual({
      said: 'Hi',
      calls: [{ tool: 'look', input: '{}' }],
      error: undefined,
    })
    const { host } = new URL(provider.url)
    expect(warnings).toEqual([
      `The model provider at ${host} sent a call of a tool without a name, which is left out.`,
    ])
  })
})
