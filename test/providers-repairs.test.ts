import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { askModel } from './support/ask-model.ts'
import { events, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords } from './support/wire-words.ts'

let provider: WireProvider
beforeAll(async () => {
  provider = await wireProvider()
})
afterAll(() => provider[Symbol.asyncDispose]())

type Answer = { readonly said?: string; readonly thoughts?: string; readonly calls?: readonly object[] }
type Case = readonly [name: string, api: string, body: readonly object[], expected: Answer]

const wordsOf = (api: string) => wireWords.find((words) => words.api === api)
const CALL = { calls: [{ tool: 'look', input: '{"at":1}' }] }

const block = (fields: object, index?: number) => ({
  type: 'content_block_start',
  index,
  content_block: fields,
})
const delta = (fields: object, index?: number) => ({ type: 'content_block_delta', index, delta: fields })
const hello = { type: 'text_delta', text: 'Hello' }
const claudeEnd = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } }
const claudeStop = { type: 'message_stop' }
const anthropic: readonly Case[] = [
  ['a delta of no block', 'anthropic', [delta(hello, 0), claudeEnd, claudeStop], { said: 'Hello' }],
  [
    'blocks without an index',
    'anthropic',
    [block({ type: 'text' }), delta(hello), { type: 'content_block_stop' }, claudeEnd, claudeStop],
    { said: 'Hello' },
  ],
  [
    'words in the beginning of a block',
    'anthropic',
    [block({ type: 'text', text: 'Hello ' }, 0), delta({ type: 'text_delta', text: 'you' }, 0), claudeEnd],
    { said: 'Hello you' },
  ],
  [
    'thoughts in the beginning of a block',
    'anthropic',
    [block({ type: 'thinking', thinking: 'Hm', signature: 'S' }, 0), delta(hello, 1), claudeEnd],
    { thoughts: 'Hm', said: 'Hello' },
  ],
  [
    'a call without an end',
    'anthropic',
    [
      block({ type: 'tool_use', id: 't', name: 'look', input: {} }, 0),
      delta({ type: 'input_json_delta', partial_json: '{"at":1}' }, 0),
      { ...claudeEnd, delta: { stop_reason: 'tool_use' } },
    ],
    CALL,
  ],
]

const gemini = (parts: readonly object[], more: object = {}) => ({
  candidates: [{ index: 0, content: { parts }, ...more }],
})
const geminiEnd = { candidates: [{ finishReason: 'STOP' }] }
const google: readonly Case[] = [
  ...[
    { safetyRatings: [{ category: 1 }] },
    { groundingMetadata: { groundingChunks: 'odd' } },
    { groundingMetadata: { groundingChunks: [{ web: {} }] } },
  ].map((field): Case => [
    `next to ${JSON.stringify(field)}`,
    'google',
    [gemini([{ text: 'Hello' }], field), geminiEnd],
    { said: 'Hello' },
  ]),
  [
    'next to an odd part',
    'google',
    [gemini([{ executableCode: { code: 7 } }, { text: 'Hello' }]), geminiEnd],
    { said: 'Hello' },
  ],
]

const choice = (fields: object) => ({ choices: [{ index: 0, ...fields }] })
const stopped = choice({ delta: {}, finish_reason: 'stop' })
const thinking = (fields: object): Case => [
  `reasoning as ${Object.keys(fields).join()}`,
  'chat',
  [choice({ delta: fields }), choice({ delta: { content: 'Hello' } }), stopped],
  { thoughts: 'Hm', said: 'Hello' },
]
const chat: readonly Case[] = [
  thinking({ reasoning_text: 'Hm' }),
  thinking({ thinking: 'Hm' }),
  thinking({ reasoning: { content: 'Hm' } }),
  thinking({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }] }),
  [
    'a call as a function',
    'chat',
    [
      choice({ delta: { function_call: { name: 'look', arguments: '{"at"' } } }),
      choice({ delta: { function_call: { arguments: ':1}' } } }),
      choice({ delta: {}, finish_reason: 'function_call' }),
    ],
    CALL,
  ],
  ['speech', 'chat', [choice({ delta: { audio: { transcript: 'Hello' } } }), stopped], { said: 'Hello' }],
  ['words as text', 'chat', [choice({ text: 'Hello' }), stopped], { said: 'Hello' }],
  [
    'the whole message again',
    'chat',
    [
      choice({ delta: { content: 'Hel' } }),
      choice({ delta: { content: 'lo' } }),
      choice({ message: { content: 'Hello' }, finish_reason: 'stop' }),
    ],
    { said: 'Hello' },
  ],
  [
    'one of two answers',
    'chat',
    [
      {
        choices: [
          { index: 1, delta: { content: 'Bye' } },
          { index: 0, delta: { content: 'Hello' } },
        ],
      },
      { choices: [{ index: 1, delta: { content: 'Bye' }, finish_reason: 'stop' }] },
      stopped,
    ],
    { said: 'Hello' },
  ],
]

const created = { type: 'response.created', response: { id: 'r', created_at: 1, model: 'x' } }
const item = (kind: 'added' | 'done', fields: object, more: object = { output_index: 0 }) => ({
  type: `response.output_item.${kind}`,
  ...more,
  item: fields,
})
const message = {
  type: 'message',
  id: 'm',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Hello' }],
}
const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'look', arguments: '{"at":1}' }
const { id: _, ...callWithoutId } = call
const argumentsOf = (fields: object) => ({
  type: 'response.function_call_arguments.delta',
  delta: '{"at":1}',
  ...fields,
})
const completed = { type: 'response.completed', response: { usage: { input_tokens: 7, output_tokens: 3 } } }
const thought = { type: 'reasoning', id: 'rs', summary: [] }
const responses: readonly Case[] = [
  ['a message with its end', 'responses', [created, item('done', message), completed], { said: 'Hello' }],
  [
    'a message with the last event',
    'responses',
    [created, { type: 'response.completed', response: { output: [message] } }],
    { said: 'Hello' },
  ],
  [
    'the whole message again',
    'responses',
    [
      created,
      { type: 'response.output_text.delta', item_id: 'other', output_index: 0, delta: 'Hello' },
      item('done', message),
      { type: 'response.completed', response: { output: [message] } },
    ],
    { said: 'Hello' },
  ],
  [
    'a call without an index',
    'responses',
    [
      created,
      item('added', { ...call, arguments: '' }, {}),
      argumentsOf({ item_id: 'f' }),
      item('done', call, {}),
      completed,
    ],
    CALL,
  ],
  [
    'a call without an id',
    'responses',
    [
      created,
      item('added', { ...callWithoutId, arguments: '' }),
      argumentsOf({ output_index: 0 }),
      item('done', callWithoutId),
      completed,
    ],
    CALL,
  ],
  [
    'the end named done',
    'responses',
    [created, item('done', message), { type: 'response.done', response: { status: 'completed' } }],
    { said: 'Hello' },
  ],
  [
    'reasoning as text',
    'responses',
    [
      created,
      item('added', thought),
      { type: 'response.reasoning_text.delta', item_id: 'rs', output_index: 0, delta: 'Hm' },
      item('done', { ...thought, content: [{ type: 'reasoning_text', text: 'Hm' }] }),
      item('done', message, { output_index: 1 }),
      completed,
    ],
    { thoughts: 'Hm', said: 'Hello' },
  ],
  [
    'reasoning with its end',
    'responses',
    [
      created,
      item('added', thought),
      item('done', { ...thought, summary: [{ type: 'summary_text', text: 'Hm' }] }),
      item('done', message, { output_index: 1 }),
      completed,
    ],
    { thoughts: 'Hm', said: 'Hello' },
  ],
]

describe('no words vanish, and none come twice', () => {
  it.each([...anthropic, ...google, ...chat, ...responses])('%s (%s)', async (_name, api, body, expected) => {
    const begin = api === 'anthropic' ? (wordsOf(api)?.begin ?? []) : []
    provider.play({ body: [...begin, ...events(...body)] })

    const { said, thoughts, calls, error } = await askModel(provider.url, api, { hasFallback: false })

    expect({ said, thoughts, calls, error }).toEqual({
      said: '',
      thoughts: '',
      calls: [],
      error: undefined,
      ...expected,
    })
  })
})
