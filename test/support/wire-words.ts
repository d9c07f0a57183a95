import { events } from './wire-provider.ts'

/** How a protocol says things, in pieces of bytes. `begin` says nothing yet; `end` ends what `begin` began. */
export type WireWords = {
  readonly api: 'anthropic' | 'google' | 'chat' | 'responses'
  readonly begin: readonly string[]
  text(words: string): readonly string[]
  readonly end: readonly string[]
  /** A thought and a call of `look`, from the first byte to the last, with what the provider wants to have back. */
  readonly thoughtAndCall: readonly string[]
  /** What of it must be in the next request, as it stands in its JSON. */
  readonly back: readonly string[]
}

const delta = (index: number, type: string, more: object) => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...more },
})
const start = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block })
const stop = (index: number) => ({ type: 'content_block_stop', index })
const claudeBegin = events({
  type: 'message_start',
  message: {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'x',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 7, output_tokens: 1 },
  },
} as object)
const claudeEnd = (reason: string) =>
  events(
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 3 },
    } as object,
    { type: 'message_stop' },
  )

const anthropic: WireWords = {
  api: 'anthropic',
  begin: claudeBegin,
  text: (words) => events(start(0, { type: 'text', text: '' }), delta(0, 'text_delta', { text: words })),
  end: [...events(stop(0)), ...claudeEnd('end_turn')],
  thoughtAndCall: [
    ...claudeBegin,
    ...events(
      start(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, 'thinking_delta', { thinking: 'Let me look.' }),
      delta(0, 'signature_delta', { signature: 'signed-by-claude' }),
      stop(0),
      start(1, { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }),
      delta(1, 'input_json_delta', { partial_json: '{"at":' }),
      delta(1, 'input_json_delta', { partial_json: '1}' }),
      stop(1),
    ),
    ...claudeEnd('tool_use'),
  ],
  back: ['"thinking":"Let me look."', '"signature":"signed-by-claude"', '"tool_use_id":"toolu_1"'],
}

const candidate = (parts: readonly object[], more: object = {}) =>
  events({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }] } as object)
const geminiEnd = events({
  candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
} as object)

const google: WireWords = {
  api: 'google',
  begin: [],
  text: (words) => candidate([{ text: words }]),
  end: geminiEnd,
  thoughtAndCall: [
    ...candidate([{ text: 'Let me look.', thought: true }]),
    ...candidate([{ functionCall: { name: 'look', args: { at: 1 } }, thoughtSignature: 'signed-by-gemini' }]),
    ...geminiEnd,
  ],
  back: ['"thoughtSignature":"signed-by-gemini"'],
}

const chunk = (deltaFields: object, more: object = {}) =>
  events({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'x',
    choices: [{ index: 0, delta: deltaFields, finish_reason: null, ...more }],
  } as object)
const chatEnd = (reason: string) => [
  ...chunk({}, { finish_reason: reason }),
  ...events({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'x',
    choices: [],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  } as object),
  'data: [DONE]\n\n',
]

const chat: WireWords = {
  api: 'chat',
  begin: chunk({ role: 'assistant', content: '' }),
  text: (words) => chunk({ content: words }),
  end: chatEnd('stop'),
  thoughtAndCall: [
    ...chunk({ role: 'assistant', reasoning_content: 'Let me look.' }),
    ...chunk({
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'look', arguments: '{"at":' } },
      ],
    }),
    ...chunk({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }),
    ...chatEnd('tool_calls'),
  ],
  back: ['"tool_call_id":"call_1"', '"reasoning_content":"Let me look."'],
}

const created = events({
  type: 'response.created',
  response: { id: 'resp_1', created_at: 1, model: 'x' },
} as object)
const completed = events({
  type: 'response.completed',
  response: { id: 'resp_1', usage: { input_tokens: 7, output_tokens: 3, total_tokens: 10 } },
} as object)
const item = (type: 'added' | 'done', index: number, fields: object) =>
  events({ type: `response.output_item.${type}`, output_index: index, item: fields } as object)
const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed-by-openai' }
const called = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  name: 'look',
  arguments: '',
  status: 'in_progress',
}

const responses: WireWords = {
  api: 'responses',
  begin: created,
  text: (words) => [
    ...item('added', 0, {
      type: 'message',
      id: 'msg_1',
      role: 'assistant',
      content: [],
      status: 'in_progress',
    }),
    ...events({
      type: 'response.output_text.delta',
      item_id: 'msg_1',
      output_index: 0,
      content_index: 0,
      delta: words,
    } as object),
  ],
  end: [
    ...item('done', 0, { type: 'message', id: 'msg_1', role: 'assistant', content: [], status: 'completed' }),
    ...completed,
  ],
  thoughtAndCall: [
    ...created,
    ...item('added', 0, thought),
    ...events(
      {
        type: 'response.reasoning_summary_part.added',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        part: { type: 'summary_text', text: '' },
      } as object,
      {
        type: 'response.reasoning_summary_text.delta',
        item_id: 'rs_1',
        output_index: 0,
        summary_index: 0,
        delta: 'Let me look.',
      } as object,
    ),
    ...item('done', 0, { ...thought, summary: [{ type: 'summary_text', text: 'Let me look.' }] }),
    ...item('added', 1, called),
    ...events({
      type: 'response.function_call_arguments.delta',
      item_id: 'fc_1',
      output_index: 1,
      delta: '{"at":1}',
    } as object),
    ...item('done', 1, { ...called, arguments: '{"at":1}', status: 'completed' }),
    ...completed,
  ],
  back: ['"encrypted_content":"sealed-by-openai"', '"call_id":"call_1"', '"store":false'],
}

export const wireWords: readonly WireWords[] = [anthropic, google, chat, responses]
