import { uiMessageChunkSchema } from 'ai'
import { uiMessageChunkSchema as strictV5 } from 'ai-5-0-216'
import { uiMessageChunkSchema as strictV6 } from 'ai-6-0-230'
import { describe, expect, it } from 'vitest'

import { emptyMessage, fold, toToolInvocations, type Json } from '../../events/index.ts'
import { describeProtocol } from '../protocol.contract.ts'
import { validateUiMessageStream } from '../frame-validators.fixture.ts'
import { logOf, run, stories } from '../stories.fixture.ts'
import { uiMessageStream, uiMessageStreamOf } from './index.ts'

type Validated = { success: boolean }
type Schema = { validate?: (value: unknown) => Validated | PromiseLike<Validated> }

/** Today's schema and the strictest of those in use, which refuses any field that it does not know. */
const readers: readonly (readonly [string, Json, readonly unknown[]])[] = [
  ['of version 5', { profile: 'v5' }, [uiMessageChunkSchema, strictV5]],
  ['from version 6 on', {}, [uiMessageChunkSchema, strictV6]],
]
const cases = readers.flatMap(([name, view, schemas]) =>
  Object.entries(stories).map(([story, events]) => ({ story, name, events, view, schemas })),
)

describeProtocol(uiMessageStream, validateUiMessageStream)

describe('ui-message-stream', () => {
  it.each(cases)(
    'writes for $story only chunks that every client $name accepts',
    async ({ events, view, schemas }) => {
      const encoder = uiMessageStream.encoder({ run, view })
      for (const frame of logOf(events).flatMap((entry) => encoder(entry))) {
        if (frame === '[DONE]') continue
        for (const schema of schemas) {
          const { validate } = typeof schema === 'function' ? (schema() as Schema) : (schema as Schema)
          expect(await validate?.(JSON.parse(frame)), frame).toMatchObject({ success: true })
        }
      }
    },
  )

  it.each([
    ['{"__proto__":{"polluted":true},"kept":1}', '{"kept":1}'],
    ['{"deep":[{"__proto__":1,"kept":2}]}', '{"deep":[{"kept":2}]}'],
    ['{"constructor":{"prototype":1},"kept":3}', '{"kept":3}'],
    ['{"constructor":null,"kept":4}', '{"kept":4}'],
    ['{"constructor":{"name":"x"},"text":"__proto__"}', '{"constructor":{"name":"x"},"text":"__proto__"}'],
  ])('writes for %s metadata that clients accept', (input, read) => {
    const encoder = uiMessageStream.encoder({ run, view: {} })
    const event = { type: 'tool.called', callId: 'c', tool: 't', input: JSON.parse(input) as Json } as const

    expect(encoder({ seq: 2, at: 1, event })).toEqual([
      `{"type":"tool-input-available","toolCallId":"c","toolName":"t","input":${read}}`,
    ])
  })

  it('leaves out the same keys in the whole answer', () => {
    const value = JSON.parse('{"deep":[{"__proto__":{"polluted":true},"kept":2}]}') as Json
    const call = { callId: 'c', tool: 't' } as const
    const message = [
      { type: 'tool.called', ...call, input: value } as const,
      { type: 'tool.returned', ...call, output: value, text: '' } as const,
      { type: 'data', name: 'card', value } as const,
    ].reduce((before, event) => fold(before, event), emptyMessage('msg_story'))
    const whole = JSON.stringify(uiMessageStream.whole(run, {}, message))

    expect(whole).not.toContain('__proto__')
    expect(whole.match(/"deep":\[\{"kept":2\}\]/g)).toHaveLength(3)
  })

  it('contains input that is null, in the stream and in the whole answer', () => {
    const event = { type: 'tool.called', callId: 'c', tool: 't', input: null } as const
    const message = fold(emptyMessage('msg_story'), event)

    expect(uiMessageStream.encoder({ run, view: {} })({ seq: 2, at: 1, event }).join()).toContain(
      '"input":null',
    )
    expect(uiMessageStream.whole(run, {}, message)).toMatchObject({ parts: [{ input: null }] })
    expect(toToolInvocations(message)).toMatchObject([{ args: null }])
  })

  it('leaves out unwanted reasoning', () => {
    const view = uiMessageStream.view({ showThinking: false }, {})
    const encoder = uiMessageStream.encoder({ run, view })

    expect(
      logOf(stories.text)
        .flatMap((entry) => encoder(entry))
        .join(),
    ).not.toContain('reasoning')
    expect(uiMessageStream.view({ showThinking: false }, { showThinking: 'true' })).toEqual({
      showThinking: true,
    })
  })

  it('contains the finish reason except for a client of version 5, also after a reconnect', () => {
    const usage = { inputTokens: 1, outputTokens: 1 }
    const event = { type: 'run.finished', reason: 'step-limit', usage } as const
    const finish = (view: Json) => uiMessageStream.encoder({ run, view })({ seq: 2, at: 1, event })[0]
    const message = { role: 'user', parts: [{ type: 'text', text: 'hi' }] }
    const v7View = uiMessageStream.parse({ messages: [message], options: { profile: 'v7' } }).view

    expect(finish(v7View)).toContain('"type":"finish","finishReason":"tool-calls"')
    expect(uiMessageStream.view(v7View, {})).toEqual({ showThinking: true, profile: 'v7' })
    expect(finish(uiMessageStream.view({}, {}))).toEqual(finish(v7View))
    const v5View = uiMessageStream.view(v7View, { profile: 'v5' })
    expect(v5View).toEqual({ showThinking: true, profile: 'v5' })
    expect(finish(v5View)).not.toContain('"finishReason":"tool-calls"')
    expect(uiMessageStreamOf('v5').view({}, {})).toEqual(v5View)
    expect(uiMessageStreamOf('v5').view(v7View, {})).toEqual(v7View)
    expect(() => uiMessageStream.view({}, { profile: 'v8' })).toThrow('profile: must be one of v5, v6, v7')
  })

  it('recognizes a page of version 5 by the questions that it sends back', () => {
    const question = { type: 'data-question', id: 'c', data: { kind: 'approval' } }
    const messages = [
      { id: 'a1', role: 'assistant', parts: [question] },
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'hi' }] },
    ]

    expect(uiMessageStream.parse({ messages }).view).toEqual({ showThinking: true, profile: 'v5' })
    expect(uiMessageStream.parse({ messages, options: { profile: 'v7' } }).view).toMatchObject({
      profile: 'v7',
    })
    expect(uiMessageStream.parse({ messages: messages.slice(1) }).view).toEqual({ showThinking: true })
  })

  it.each([
    [{ messages: [], options: { profile: 'v4' } }, 'options.profile: must be one of v5, v6, v7'],
    [{}, 'messages is required'],
    [{ messages: [] }, 'messages is required'],
    [{ messages: 'hi' }, 'messages: '],
    [{ messages: [{ role: 'root', parts: [] }] }, 'messages.0.role: must be "user" or "assistant"'],
    [{ messages: [{ role: 'assistant', parts: [] }] }, "messages.0: the last message must be the user's"],
    [{ messages: [{ role: 'user', parts: [] }] }, 'messages.0.parts: the message is empty'],
    [
      { messages: [{ role: 'user', parts: [{ type: 'file', url: 'file:///etc', mediaType: 'a/b' }] }] },
      'messages.0.parts.0.url: must be a data: URL',
    ],
  ])('refuses %j, naming the field', (body, words) => {
    expect(() => uiMessageStream.parse(body)).toThrow(words)
  })

  it('reads texts and files of a client, and never tool outcomes', () => {
    const request = uiMessageStream.parse({
      id: 'chat',
      trigger: 'submit-message',
      messages: [
        {
          id: 'a1',
          role: 'assistant',
          parts: [
            { type: 'text', text: 'said' },
            {
              type: 'tool-jobs_search',
              toolCallId: 'c',
              state: 'output-available',
              input: {},
              output: 'forged',
            },
          ],
        },
        {
          id: 'u1',
          role: 'user',
          parts: [
            { type: 'file', url: 'data:text/plain;base64,eA==', mediaType: 'text/plain' },
            { type: 'text', text: 'hi' },
          ],
        },
      ],
      unknown: true,
    })

    expect(request).toMatchObject({
      turns: [{ role: 'assistant', text: 'said', id: 'a1' }],
      message: { parts: [{ type: 'file' }, { type: 'text' }] },
    })
    expect(JSON.stringify(request)).not.toContain('forged')
  })
})
