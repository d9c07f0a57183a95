import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import { call, input, user } from './input.fixture.ts'
import { parse } from './parse.ts'

describe('an AG-UI request', () => {
  it('contains a message, the earlier turns, and the ids of thread and run', () => {
    const read = parse(
      input(
        [
          user('Hello'),
          { id: 'msg_abcdefghijkl', role: 'assistant', content: 'Good day.' },
          { id: 'msg_abcdefghijkl.2', role: 'assistant', content: 'I have looked.' },
          user('And now?', 'u2'),
        ],
        { protocolVersion: '1.0', tools: [], context: [], state: {}, forwardedProps: {} },
      ),
    )

    expect(read).toEqual({
      thread: 't1',
      turns: [
        { role: 'user', text: 'Hello', id: 'u1' },
        { role: 'assistant', text: 'Good day.', id: 'msg_abcdefghijkl' },
        { role: 'assistant', text: 'I have looked.', id: 'msg_abcdefghijkl' },
      ],
      message: { clientId: 'u2', parts: [{ type: 'text', text: 'And now?' }] },
      context: {},
      state: {},
      stream: true,
      view: { threadId: 't1', runId: 'r1', version: '1.0', ids: expect.any(String) },
    })
  })

  it('may contain only the new message, with null fields', () => {
    const nothing = { tools: null, context: null, forwardedProps: null, resume: null }

    expect(parse(input([{ role: 'user', content: 'Hello' }], nothing))).toEqual({
      thread: 't1',
      turns: [],
      message: { parts: [{ type: 'text', text: 'Hello' }] },
      context: {},
      stream: true,
      view: { threadId: 't1', runId: 'r1', ids: expect.any(String) },
    })
  })

  it('ignores unknown fields, and names the place of an empty message', () => {
    const read = parse(
      input([
        { id: 'a1', role: 'activity', activityType: 'plan', content: {} },
        { id: 'r1', role: 'reasoning', content: 'Hm.' },
        { id: 'n1', role: 'narrator', content: 7 },
        { id: 'm1', role: 'assistant', content: null, toolCalls: [call] },
        { role: 'assistant', toolCalls: null },
        user([
          { type: 'hologram', of: 'a cat' },
          { type: 'text', text: 'Hello' },
        ]),
        { id: 's1', role: 'system', content: 'Be brief.' },
        { role: 'developer', content: 'Speak German.' },
      ]),
    )

    expect(read).toMatchObject({
      turns: [{ role: 'assistant', text: '', id: 'm1' }],
      message: { parts: [{ type: 'text', text: 'Hello' }] },
      context: {
        instructions: [
          { id: 's1', role: 'system', content: 'Be brief.' },
          { role: 'developer', content: 'Speak German.' },
        ],
      },
    })
  })

  it("gives the agent the context, and keys only to the run's tools", () => {
    const context = [{ description: 'Page', value: 'Inbox' }]
    const mcpHeaders = { 'https://*.example.com': { headers: { authorization: 'Bearer SECRET' } } }
    const read = parse(
      input([user('Hello')], {
        context,
        forwardedProps: { agent: 'main', mcpHeaders, theme: 'dark' },
      }),
    )

    expect(read).toMatchObject({
      agent: 'main',
      context: { context, forwardedProps: { agent: 'main', theme: 'dark' } },
      secrets: { mcpHeaders },
    })
    expect(JSON.stringify({ ...read, secrets: undefined })).not.toContain('SECRET')
  })

  it('brings tools, some of which need an approval', () => {
    const parameters = { type: 'object', properties: { color: { type: 'string' } } }
    const read = parse(
      input([user('Hello')], {
        tools: [
          { name: 'paint', description: 'Paints.', parameters },
          { name: 'burn', description: 'Burns.', parameters, confirmationRequired: true },
          { name: 'sell', description: 'Sells.', metadata: { confirmationRequired: true } },
          { name: 'buy', description: '', parameters: null, metadata: { confirmationRequired: 'yes' } },
        ],
      }),
    )
    const inputSchema = { type: 'object', properties: {} }

    expect(read).toMatchObject({
      tools: [
        { name: 'paint', description: 'Paints.', inputSchema: parameters },
        { name: 'burn', description: 'Burns.', inputSchema: parameters, confirm: true },
        { name: 'sell', description: 'Sells.', inputSchema, confirm: true },
        { name: 'buy', description: '', inputSchema },
      ],
    })
    expect('tools' in read && read.tools?.map((tool) => 'confirm' in tool)).toEqual([
      false,
      true,
      true,
      false,
    ])
  })
})

describe('an AG-UI request with nothing new', () => {
  it('asks for what the conversation has', () => {
    const messages = [user('Hello'), { id: 'm', role: 'assistant', content: 'Yes?' }]
    expect(parse(input(messages))).toMatchObject({ thread: 't1', answers: [] })
  })

  it('asks the agent to begin where there is no message at all', () => {
    const opening = parse(input([{ id: 's', role: 'system', content: 'Be brief.' }]))
    expect(opening).toMatchObject({
      thread: 't1',
      turns: [],
      message: { parts: [] },
      context: { instructions: [{ content: 'Be brief.' }] },
    })
  })
})

it('takes values in place of their JSON, as results and as context', () => {
  const result = { role: 'tool', id: 'x', toolCallId: 'c', content: { seen: [1] } }

  expect(parse(input([user('Look'), result]))).toMatchObject({
    answers: [{ callId: 'c', answer: { kind: 'output', output: { seen: [1] } } }],
  })
  expect(parse(input([user('Look')], { context: [{ value: { page: 1 } }] }))).toMatchObject({
    context: { context: [{ description: '', value: '{"page":1}' }] },
  })
})

it('passes over what is odd in earlier messages', () => {
  const odd = [
    { role: 'assistant', id: 'a1', content: { text: 'Hi' }, toolCalls: [{ function: { arguments: {} } }] },
    user(7),
    user([{ type: 'text' }, { type: 'text', text: 'Before.' }]),
  ]

  expect(parse(input([...odd, user('Hello')]))).toMatchObject({
    turns: [{ id: 'a1', text: '' }, { text: '' }, { text: 'Before.' }],
    message: { parts: [{ type: 'text', text: 'Hello' }] },
  })
})

describe('an invalid AG-UI request', () => {
  const messages = [user('Hello')]
  it.each<[string, Json]>([
    ['threadId: ', { runId: 'r', messages }],
    ['runId: ', { threadId: 't', runId: '', messages }],
    ['runId: ', { threadId: 't', runId: 'r'.repeat(300), messages }],
    ['messages: ', { threadId: 't', runId: 'r', messages: 'Hello' }],
    ['messages.0.role: ', input([{ id: 'u' }])],
    ['messages.0.content: ', input([user(7)])],
    ['messages.0.content: ', input([user('')])],
    ['messages.0.content.0.text: ', input([user([{ type: 'text' }])])],
    ['messages.1.toolCallId: ', input([user('a'), { role: 'tool', content: 'b' }])],
    ['tools.0.name: ', input(messages, { tools: [{ description: 'x' }] })],
    ['tools.0: ', input(messages, { tools: [{ name: 'no spaces' }] })],
    ['tools.0.parameters: ', input(messages, { tools: [{ name: 'a', parameters: [] }] })],
    ['tools.0.parameters: ', input(messages, { tools: [{ name: 'a', parameters: { type: 'string' } }] })],
    ['tools: ', input(messages, { tools: Array.from({ length: 129 }, (_, at) => ({ name: `t${at}` })) })],
    ['context.0.value: ', input(messages, { context: [{ description: 'x' }] })],
    ['state: ', input(messages, { state: 'x'.repeat(70_000) })],
    ['resume.0.status: ', input(messages, { resume: [{ interruptId: 'c', status: 'maybe' }] })],
    ['protocolVersion: ', input(messages, { protocolVersion: 1 })],
  ])('is refused by the name of the field: %s', (words, body) => {
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: 'invalid-request' }))
    expect(() => parse(body)).toThrow(new RegExp(`^${words.replaceAll('.', '\\.')}`))
  })
})
