import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

/** What a page is shown, as far as there is any. */
type Outcome = {
  readonly said?: string
  readonly thoughts?: string
  readonly calls?: readonly string[]
  readonly sources?: readonly string[]
  readonly reason?: string | undefined
}
type Report = readonly [name: string, body: readonly string[], outcome: Outcome]

async function play(api: string, body: readonly string[]): Promise<Outcome> {
  provider.play({ body })
  const { said, thoughts, calls, parts, finish, error } = await askModel(provider.url, api)
  expect(error).toBeUndefined()
  const sources = parts.flatMap((part) => ('url' in part && part.type === 'source' ? [part.url] : []))
  return {
    ...(said && { said }),
    ...(thoughts && { thoughts }),
    ...(calls.length > 0 && { calls: calls.map(({ tool, input }) => tool + input) }),
    ...(sources.length > 0 && { sources }),
    ...(finish?.finishReason.unified !== 'stop' && { reason: finish?.finishReason.unified }),
  }
}

const toText = (value: object): string => JSON.stringify(value)
const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const chat = (delta: object, finish?: string): string[] => events(chunk(delta, finish) as object)
const call = (index: number | string, id: string | undefined, args: string | null, name = 'look') => ({
  index,
  ...(id !== undefined && { id, type: 'function' }),
  function: { ...(id !== undefined && { name }), arguments: args },
})
const stop = chat({}, 'stop')
const ofChat: readonly Report[] = [
  [
    'ends at each of its calls',
    [
      ...chat({ tool_calls: [call(0, 'a', '{"a":1}')] }, 'tool_calls'),
      ...chat({ tool_calls: [call(1, 'b', '{}')] }, 'tool_calls'),
    ],
    { calls: ['look{"a":1}', 'look{}'], reason: 'tool-calls' },
  ],
  [
    'has all calls and its end in one chunk',
    chat({ tool_calls: [call(0, 'a', '{"a":1}'), call(1, 'b', '{}')] }, 'tool_calls'),
    { calls: ['look{"a":1}', 'look{}'], reason: 'tool-calls' },
  ],
  [
    'gives two calls one index',
    [
      ...chat({ tool_calls: [call(0, 'a', '{"a":1}')] }),
      ...chat({ tool_calls: [call(0, 'b', '{}')] }, 'tool_calls'),
    ],
    { calls: ['look{"a":1}', 'look{}'], reason: 'tool-calls' },
  ],
  [
    'has an index that is a text',
    chat({ tool_calls: [call('0', 'a', '{}')] }, 'tool_calls'),
    { calls: ['look{}'], reason: 'tool-calls' },
  ],
  [
    'repeats the name of a call',
    [
      ...chat({ tool_calls: [call(0, 'a', '{"a"')] }),
      ...chat({ tool_calls: [call(0, 'a', ':1}')] }, 'tool_calls'),
    ],
    { calls: ['look{"a":1}'], reason: 'tool-calls' },
  ],
  [
    'has no arguments',
    chat({ tool_calls: [call(0, 'a', null)] }, 'tool_calls'),
    { calls: ['look'], reason: 'tool-calls' },
  ],
  [
    'speaks after a call',
    [...chat({ tool_calls: [call(0, 'a', '{}')] }), ...chat({ content: 'Now.' }, 'tool_calls')],
    { said: 'Now.', calls: ['look{}'], reason: 'tool-calls' },
  ],
  ['ends as Claude does', chat({ content: 'Hi' }, 'end_turn'), { said: 'Hi' }],
  ['is cut as Claude is', chat({ content: 'Hi' }, 'max_tokens'), { said: 'Hi', reason: 'length' }],
  [
    'goes on after its end',
    [...chat({ content: 'One ' }, 'stop'), ...chat({ content: 'two' })],
    { said: 'One two' },
  ],
  [
    'has its thoughts in two fields',
    [...chat({ reasoning: 'Hm', reasoning_content: 'Hm' }), ...chat({ content: 'Hi' }), ...stop],
    { said: 'Hi', thoughts: 'Hm' },
  ],
  [
    'thinks and speaks in one chunk',
    [...chat({ reasoning_content: 'Hm', content: 'Hi' }), ...stop],
    { said: 'Hi', thoughts: 'Hm' },
  ],
  [
    'has details of its thoughts alone',
    [
      ...chat({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] }),
      ...chat({ content: 'Hi' }),
      ...stop,
    ],
    { said: 'Hi', thoughts: 'Hm' },
  ],
  [
    'has a list of thoughts',
    [...chat({ reasoning_content: ['H', 'm'] }), ...chat({ content: 'Hi' }), ...stop],
    { said: 'Hi', thoughts: 'Hm' },
  ],
  ['has words without a type', [...chat({ content: [{ text: 'Hi' }] }), ...stop], { said: 'Hi' }],
  ['has its words in an object', [...chat({ content: { text: 'Hi' } }), ...stop], { said: 'Hi' }],
  ['refuses', [...chat({ refusal: 'I cannot.' }), ...stop], { said: 'I cannot.', reason: 'content-filter' }],
  ['names the field twice', [`data: data: ${toText(chunk({ content: 'Hi' }))}\n\n`, ...stop], { said: 'Hi' }],
  [
    'ends its events with a line feed',
    [`data: ${toText(chunk({ content: 'A' }))}\n`, `data: ${toText(chunk({ content: 'B' }))}\n\n`, ...stop],
    { said: 'AB' },
  ],
  [
    'is lines of JSON',
    [`${toText(chunk({ content: 'A' }))}\n`, `${toText(chunk({ content: 'B' }, 'stop'))}\n`],
    { said: 'AB' },
  ],
  [
    'has the pages of a search that Groq ran',
    [
      ...chat({
        executed_tools: [{ search_results: { results: [{ title: 'A', url: 'https://a.example/' }] } }],
      }),
      ...chat({ content: 'Hi' }),
      ...stop,
    ],
    { said: 'Hi', sources: ['https://a.example/'] },
  ],
]

const words = wireWords.find(({ api }) => api === 'responses')
const begin = words?.begin ?? []
const place = { item_id: 'm', output_index: 0, content_index: 0 }
const message = (text?: string, id = 'm') => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content: text === undefined ? [] : [{ type: 'output_text', text, annotations: [] }],
})
const added = events({ type: 'response.output_item.added', output_index: 0, item: message() } as object)
const completed = (...output: object[]): string[] =>
  events({
    type: 'response.completed',
    response: { id: 'r', output, usage: { input_tokens: 7, output_tokens: 3 } },
  } as object)
const ofResponses: readonly Report[] = [
  [
    'has a text at its end alone',
    [
      ...begin,
      ...added,
      ...events({ type: 'response.output_text.done', ...place, text: 'Hi' } as object),
      ...completed(),
    ],
    { said: 'Hi' },
  ],
  [
    'has a part at its end alone',
    [
      ...begin,
      ...added,
      ...events({
        type: 'response.content_part.done',
        ...place,
        part: { type: 'output_text', text: 'Hi' },
      } as object),
      ...completed(),
    ],
    { said: 'Hi' },
  ],
  [
    'says everything three times',
    [
      ...begin,
      ...added,
      ...events(
        { type: 'response.output_text.delta', ...place, delta: 'Hi' } as object,
        { type: 'response.output_text.done', ...place, text: 'Hi' } as object,
        { type: 'response.content_part.done', ...place, part: { type: 'output_text', text: 'Hi' } } as object,
        { type: 'response.output_item.done', output_index: 0, item: message('Hi') } as object,
      ),
      ...completed(message('Hi')),
    ],
    { said: 'Hi' },
  ],
  [
    'has a second message in its whole output alone',
    [
      ...begin,
      ...added,
      ...events({ type: 'response.output_text.delta', ...place, delta: 'One ' } as object),
      ...completed(message('One '), message('two', 'm2')),
    ],
    { said: 'One two' },
  ],
]

const gemini = (parts: readonly object[], more: object = {}): string[] =>
  events({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }] } as object)
const cited = { citationMetadata: { citationSources: [{ uri: 'https://a.example/', endIndex: 4 }] } }
const ofGoogle: readonly Report[] = [
  [
    'cites pages',
    gemini([{ text: 'Oslo' }], { ...cited, finishReason: 'STOP' }),
    { said: 'Oslo', sources: ['https://a.example/'] },
  ],
  [
    'goes on after its end',
    [
      ...gemini([{ text: 'One ' }], { finishReason: 'STOP' }),
      ...gemini([{ text: 'two' }], { finishReason: 'STOP' }),
    ],
    { said: 'One two' },
  ],
]

describe.each([
  ['chat completions', 'chat', ofChat],
  ['responses', 'responses', ofResponses],
  ['Gemini', 'google', ofGoogle],
])('an answer of %s', (_, api, reports) => {
  it.each(reports)('is shown that %s', async (_name, body, outcome) => {
    expect(await play(api, body)).toEqual(outcome)
  })
})
