import { describe, expect, it } from 'vitest'

import type { Json } from 'dragoman/events'
import { call, input, user } from './input.fixture.ts'
import { parse } from './parse.ts'

const result = (content: Json, more: { readonly [field: string]: Json } = {}): Json => ({
  id: 'x',
  role: 'tool',
  toolCallId: 'run_1.2',
  content,
  ...more,
})

describe('answers in an AG-UI request', () => {
  it("are the results of the client's tools, wherever they are", () => {
    const read = parse(
      input([user('Look'), result('{"seen":true}'), { id: 'm', role: 'assistant', toolCalls: [call] }]),
    )

    expect(read).toEqual({
      thread: 't1',
      answers: [{ callId: 'run_1.2', answer: { kind: 'output', output: { seen: true } } }],
      stream: true,
      view: { threadId: 't1', runId: 'r1', results: { 'run_1.2': 'x' } },
    })
  })

  it.each([
    ['{"a":[1]}', { a: [1] }],
    ['42', 42],
    ['', ''],
    ['done.', 'done.'],
    ['{"half":', '{"half":'],
    ['['.repeat(200) + ']'.repeat(200), '['.repeat(200) + ']'.repeat(200)],
    [null, ''],
    [
      [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
      'a\n\nb',
    ],
  ])('of %j are values if they are JSON, and texts otherwise', (content: Json, output) => {
    expect(parse(input([user('Look'), result(content)]))).toMatchObject({
      answers: [{ answer: { kind: 'output', output } }],
    })
  })

  it('may report how a tool failed', () => {
    expect(parse(input([user('Look'), result('', { error: 'It is dark.' })]))).toMatchObject({
      answers: [{ answer: { kind: 'error', message: 'It is dark.' } }],
    })
  })

  it.each([
    [{ status: 'resolved', payload: { approved: true } }, { approved: true }],
    [
      { status: 'resolved', payload: { approved: false, reason: 'No.' } },
      { approved: false, reason: 'No.' },
    ],
    [{ status: 'resolved', payload: true }, { approved: true }],
    [{ status: 'cancelled' }, { approved: false }],
  ])('are approvals: %j', (payload, answer) => {
    const resume = [{ interruptId: 'run_1.2', ...payload }]

    expect(parse(input([user('Go'), { id: 'm', role: 'assistant' }], { resume }))).toMatchObject({
      answers: [{ callId: 'run_1.2', answer: { kind: 'approval', ...answer } }],
    })
  })

  it('may come with a message', () => {
    const read = parse(input([user('Look'), result('1'), user('Quick!', 'u2')]))

    expect(read).toMatchObject({
      answers: [{ callId: 'run_1.2' }],
      message: { clientId: 'u2' },
      turns: [{ id: 'u1' }],
    })
  })
})
