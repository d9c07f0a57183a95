import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

type Outcome = { readonly said?: string; readonly thoughts?: string; readonly calls?: readonly string[] }
type Report = readonly [name: string, api: string, body: readonly string[], outcome: Outcome]

/** Events of any form: the types of those that a provider has are no concern here. */
const play = (...values: readonly object[]): string[] => events(...values)
const beginOf = (api: string): readonly string[] => wireWords.find((words) => words.api === api)?.begin ?? []

const chunk = (delta: object | null, finish: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason: finish, ...more }],
})
const piece = (args: string | null, more: object = {}, fields: object = {}) =>
  chunk({ tool_calls: [{ index: 0, ...more, function: { arguments: args, ...fields } }] })
const look = (args: string | null) => piece(args, { id: 'a', type: 'function' }, { name: 'look' })
const called = chunk({}, 'tool_calls')
const usage = (tokens: number) => ({ usage: { prompt_tokens: 7, completion_tokens: tokens } })
const ofChat: readonly Report[] = [
  [
    'sends a call once more, whole, after its pieces',
    'chat',
    play(look('{"a"'), piece(':1}'), look('{ "a": 1 }'), called),
    { calls: ['look{"a":1}'] },
  ],
  [
    'has the usage in every chunk',
    'chat',
    play({ ...chunk({ content: 'A' }), ...usage(1) }, { ...chunk({ content: 'B' }, 'stop'), ...usage(3) }),
    { said: 'AB' },
  ],
  [
    'begins with a placeholder',
    'chat',
    play({ id: '', model: '', created: 0, choices: [] }, chunk({ content: 'Hi' }, 'stop')),
    { said: 'Hi' },
  ],
  [
    'ends its thoughts like an answer',
    'chat',
    play(chunk({ reasoning_content: 'Hm' }, 'stop'), chunk({ content: 'Hi' }, 'stop')),
    { said: 'Hi', thoughts: 'Hm' },
  ],
  [
    'gives calls no id',
    'chat',
    play(piece('', {}, { name: 'look' }), piece('{}'), called),
    { calls: ['look{}'] },
  ],
  [
    'writes null for what has not changed',
    'chat',
    play(look(null), piece('{}', { id: null, type: null }, { name: null }), called),
    { calls: ['look{}'] },
  ],
  ['has no delta at its end', 'chat', play(chunk({ content: 'Hi' }), chunk(null, 'stop')), { said: 'Hi' }],
  [
    'repeats all words so far with the new ones',
    'chat',
    play(
      chunk({ content: 'Hi ' }, null, { message: { content: 'Hi ' } }),
      chunk({ content: 'you' }, 'stop', { message: { content: 'Hi you' } }),
    ),
    { said: 'Hi you' },
  ],
  [
    'sends arguments before the name',
    'chat',
    play(piece('{"a"'), look(':1}'), called),
    { calls: ['look{"a":1}'] },
  ],
]

const start = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block })
const delta = (index: number, type: string, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...fields },
})
const end = (index: number) => ({ type: 'content_block_stop', index })
const reason = (stop: string) => ({
  type: 'message_delta',
  delta: { stop_reason: stop },
  usage: { output_tokens: 3 },
})
const hi = [start(0, { type: 'text', text: '' }), delta(0, 'text_delta', { text: 'Hi' }), end(0)]
const claudeLook = [
  start(0, { type: 'tool_use', id: 't', name: 'look', input: {} }),
  delta(0, 'input_json_delta', { partial_json: '{"a":1}' }),
]
const stop = { type: 'message_stop' }
const ofClaude: readonly Report[] = [
  [
    'holds its words in its beginning',
    'anthropic',
    play(
      { type: 'message_start', message: { id: 'm', content: [{ type: 'text', text: 'Hi' }], usage: {} } },
      reason('end_turn'),
      stop,
    ),
    { said: 'Hi' },
  ],
  ['does not say why it ends', 'anthropic', [...beginOf('anthropic'), ...play(...hi, stop)], { said: 'Hi' }],
  [
    'does not say why it ends after a call',
    'anthropic',
    [...beginOf('anthropic'), ...play(...claudeLook, end(0), stop)],
    { calls: ['look{"a":1}'] },
  ],
  [
    'gives two blocks one index, and ends none',
    'anthropic',
    [...beginOf('anthropic'), ...play(...hi.slice(0, 2), ...claudeLook, reason('tool_use'), stop)],
    { said: 'Hi', calls: ['look{"a":1}'] },
  ],
  [
    'has the types of its events in their names alone',
    'anthropic',
    [
      ...beginOf('anthropic'),
      ...[...hi, reason('end_turn'), stop].map(
        ({ type, ...event }) => `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`,
      ),
    ],
    { said: 'Hi' },
  ],
]

const message = (id: string, text?: string) => ({
  type: 'message',
  id,
  role: 'assistant',
  content: text === undefined ? [] : [{ type: 'output_text', text, annotations: [] }],
})
const place = { output_index: 0, content_index: 0 }
const ofResponses: readonly Report[] = [
  [
    'gives an item another name in each event',
    'responses',
    [
      ...beginOf('responses'),
      ...play(
        { type: 'response.output_item.added', output_index: 0, item: message('1') },
        { type: 'response.output_text.delta', item_id: '2', ...place, delta: 'Hi' },
        { type: 'response.output_text.done', item_id: '3', ...place, text: 'Hi' },
        { type: 'response.output_item.done', output_index: 0, item: message('4', 'Hi') },
        { type: 'response.completed', response: { id: 'r', output: [message('5', 'Hi')], usage: null } },
      ),
    ],
    { said: 'Hi' },
  ],
]

const candidate = (parts: readonly object[], finishReason?: string) => ({
  candidates: [{ content: { role: 'model', parts }, finishReason }],
})
const ofGemini: readonly Report[] = [
  [
    'speaks and calls in one part',
    'google',
    play(candidate([{ text: 'Hi', functionCall: { name: 'look', args: { a: 1 } } }], 'STOP')),
    { said: 'Hi', calls: ['look{"a":1}'] },
  ],
  [
    'has each chunk in an object of its own',
    'google',
    play({ response: candidate([{ text: 'Hi' }], 'STOP') }),
    { said: 'Hi' },
  ],
  [
    'calls in pieces',
    'google',
    play(
      candidate([{ functionCall: { name: 'look', willContinue: true } }]),
      candidate([
        { functionCall: { partialArgs: [{ jsonPath: '$.a', numberValue: 1 }], willContinue: true } },
      ]),
      candidate([{ functionCall: {} }], 'STOP'),
    ),
    { calls: ['look{"a":1}'] },
  ],
]

describe('an answer loses nothing, and has nothing twice, on a gateway that', () => {
  it.each([...ofChat, ...ofClaude, ...ofResponses, ...ofGemini])(
    '%s (%s)',
    async (_name, api, body, outcome) => {
      provider.play({ body })

      const { said, thoughts, calls, error, warnings } = await askModel(provider.url, api, {
        hasFallback: false,
      })

      expect({
        said,
        thoughts,
        calls: calls.map(({ tool, input }) => tool + input),
        error,
        warnings,
      }).toEqual({
        said: '',
        thoughts: '',
        calls: [],
        error: undefined,
        warnings: [],
        ...outcome,
      })
    },
  )
})

describe('an answer of another API', () => {
  it.each(
    wireWords.flatMap((answer) =>
      wireWords.flatMap(({ api }) => (api === answer.api ? [] : [[answer, api] as const])),
    ),
  )('is said to be one: $0.api, asked as %s', async ({ api: answerApi, begin, text, end: rest }, api) => {
    provider.play({ body: [...begin, ...text('Hi'), ...rest] })

    const { error } = await askModel(provider.url, api, { hasFallback: false })

    expect(error).toMatchObject({
      message: expect.stringContaining(
        `It has the form of the API "${answerApi}", and was asked as "${api}".`,
      ),
    })
  })
})
