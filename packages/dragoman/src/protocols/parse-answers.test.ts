import { describe, expect, it } from 'vitest'

import type { Json } from '../events/index.ts'
import { dataStream, uiMessageStream } from './index.ts'

const output = { toolCallId: 'run_1.2', type: 'tool-where', state: 'output-available', input: {} }
const userMessage = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }
const answer = (...parts: Json[]) => ({ id: 'msg_1', role: 'assistant', parts })

describe('answers in a request of useChat', () => {
  it('are the outcomes of the calls in the last message, and nothing else', () => {
    const parts = [
      { type: 'step-start' },
      { type: 'text', text: 'said' },
      { ...output, output: { city: 'Oslo' } },
      { ...output, toolCallId: 'run_1.3', output: null },
      { ...output, toolCallId: 'run_1.7' },
      { ...output, toolCallId: 'run_1.4', state: 'output-error', errorText: '没有权限' },
      {
        ...output,
        toolCallId: 'run_1.5',
        state: 'approval-responded',
        approval: { id: 'a', approved: false, reason: 'No.' },
      },
      {
        ...output,
        type: 'dynamic-tool',
        toolCallId: 'run_1.6',
        state: 'approval-responded',
        approval: { id: 'a', approved: true },
      },
      { ...output, toolCallId: 'open', state: 'input-available' },
      { ...output, toolCallId: 'asked', state: 'approval-requested', approval: { id: 'a' } },
      { ...output, toolCallId: 'half', output: 1, preliminary: true },
      { ...output, toolCallId: 'torn', state: 'approval-responded', approval: { approved: 'yes' } },
      { ...output, toolCallId: 7, output: 1 },
      { type: 'data-question', id: 'run_1.2', data: { answer: { approved: true } } },
    ]

    expect(
      uiMessageStream.parse({
        id: 'chat',
        trigger: 'submit-message',
        messages: [userMessage, answer(...parts)],
      }),
    ).toEqual({
      thread: 'chat',
      messageId: 'msg_1',
      answers: [
        { callId: 'run_1.2', answer: { kind: 'output', output: { city: 'Oslo' } } },
        { callId: 'run_1.3', answer: { kind: 'output', output: null } },
        { callId: 'run_1.7', answer: { kind: 'output', output: null } },
        { callId: 'run_1.4', answer: { kind: 'error', message: '没有权限' } },
        { callId: 'run_1.5', answer: { kind: 'approval', approved: false, reason: 'No.' } },
        { callId: 'run_1.6', answer: { kind: 'approval', approved: true } },
      ],
      stream: true,
      view: { isChat: true, showThinking: true },
    })
  })

  it('are refused where they approve with a field that nothing reads', () => {
    const approval = { id: 'a', approved: true, isAutomatic: false, args: { amount: 8 } }
    const part = { ...output, state: 'approval-responded', approval }

    expect(() => uiMessageStream.parse({ messages: [userMessage, answer(part)] })).toThrow(
      'messages.1.parts.0.approval.args: there is no such field. POST /v1/runs/{id}/answers takes edited arguments.',
    )
  })

  it('may belong to an earlier message that the client names', () => {
    const later = { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And?' }] }
    const body = {
      messages: [userMessage, answer({ ...output, output: 1 }), later],
      trigger: 'submit-message',
    }

    expect(uiMessageStream.parse({ ...body, messageId: 'msg_1' })).toMatchObject({ messageId: 'msg_1' })
    expect(uiMessageStream.parse({ ...body, messageId: 'u2' })).toMatchObject({ branch: 'edit' })
    expect(uiMessageStream.parse(body)).toMatchObject({ message: { clientId: 'u2' } })
  })

  it.each([
    [[answer()], 'messages.0: the last message must be the user'],
    [[answer({ ...output, state: 'input-available' })], 'or have answers'],
    [[{ role: 'assistant', parts: [{ ...output, output: 1 }] }], 'messages.0.id is required'],
  ])('are missing in %j', (messages, words) => {
    expect(() => uiMessageStream.parse({ messages })).toThrow(words)
  })

  it('come from version 4 as results, with or without the message id', () => {
    const invocation = (toolCallId: string, more: { readonly [field: string]: Json }) => ({
      toolCallId,
      toolName: 't',
      args: {},
      ...more,
    })
    const done = invocation('run_1.2', { state: 'result', result: { approved: true } })
    const open = invocation('run_1.3', { state: 'call' })
    const empty = invocation('run_1.4', { state: 'result' })
    const answers = [
      { callId: 'run_1.2', answer: { kind: 'output', output: { approved: true } } },
      { callId: 'run_1.4', answer: { kind: 'output', output: null } },
    ]
    const parts = [done, open, empty].map((toolInvocation) => ({ type: 'tool-invocation', toolInvocation }))
    const message = { role: 'assistant', content: '', parts }

    const nameless = dataStream.parse({ id: 'chat', messages: [message] })
    expect(nameless).toMatchObject({ thread: 'chat', answers })
    expect(nameless).not.toHaveProperty('messageId')
    expect(dataStream.parse({ messages: [{ ...message, id: 'msg_1' }] })).toMatchObject({
      messageId: 'msg_1',
    })
    expect(
      dataStream.parse({
        messages: [{ role: 'assistant', content: '', toolInvocations: [done, open, empty] }],
      }),
    ).toMatchObject({ answers })
  })
})
