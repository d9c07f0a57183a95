import { beforeAll, describe, expect, it } from 'vitest'

import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { createApplyTool, callOf, post, questionsOf, waitForText } from './questions.ts'
import { builds, historyOf, openChat, textOf, type Sdk } from './sdk-chat.ts'

const newer = Object.entries(builds).flatMap(([build, load]) =>
  build.startsWith('5.') ? [] : [`v${build[0]}`, undefined].map((profile) => ({ build, profile, load })),
)
const script = [step(says('I apply.'), calls('c1', 'apply', { job: 3 })), step(says('So be it.'))]
const twice = [
  step(calls('c1', 'apply', { job: 3 }), calls('c2', 'send', { job: 4 })),
  step(says('So be it.')),
]

describe.each(newer)('the AI SDK client $build as $profile', ({ profile, load }) => {
  let sdk: Sdk
  beforeAll(async () => {
    sdk = await load()
  })
  const open = (url: string, more: Partial<Parameters<typeof openChat>[1]> = {}) => {
    const sendAutomaticallyWhen = sdk.lastAssistantMessageIsCompleteWithApprovalResponses
    return openChat(sdk, {
      url,
      id: 'chat-1',
      ...(profile && { profile }),
      ...(sendAutomaticallyWhen && { sendAutomaticallyWhen }),
      ...more,
    })
  }
  const idOf = (chat: ReturnType<typeof open>, tool: string): string =>
    (callOf(chat, tool)['approval'] as { id: string }).id

  it.each([
    { answer: { approved: true }, state: 'output-available', done: [3] },
    { answer: { approved: false, reason: '太远' }, state: 'output-denied', done: [] },
  ])('approves or denies: $answer', async ({ answer, state, done }) => {
    const { models, prompts } = scriptedModel(script)
    const { apply, applied } = createApplyTool()
    await using server = await openServer({ models, tools: [apply] })
    const chat = open(server.url)
    await chat.sendMessage({ text: 'Apply.' })

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(callOf(chat, 'apply')).toMatchObject({ state: 'approval-requested', input: { job: 3 } })
    expect(questionsOf(chat)).toEqual([])

    await chat.addToolApprovalResponse({ id: idOf(chat, 'apply'), ...answer })
    await waitForText(chat, 'So be it.')

    expect(applied).toEqual(done)
    expect(prompts).toHaveLength(2)
    expect(chat.messages).toHaveLength(2)
    expect(textOf(chat.messages[1])).toBe('I apply.So be it.')
    expect(callOf(chat, 'apply')).toMatchObject({ state, approval: answer })
    const { messages } = await historyOf(server.url, profile ? `chat-1&profile=${profile}` : 'chat-1')
    expect(callOf({ messages }, 'apply')).toMatchObject({ state, approval: answer })
    // Another backend may give such a history to a model.
    const modelMessages = await sdk.convertToModelMessages(messages)
    expect(modelMessages.filter(({ role }) => role === 'tool')).toHaveLength(1)
  })

  it('stays suspended until both calls are answered, also after a reload', async () => {
    const { models } = scriptedModel(twice)
    const { apply, applied } = createApplyTool()
    const { apply: send, applied: sent } = createApplyTool('send')
    await using server = await openServer({ models, tools: [apply, send] })
    const before = open(server.url)
    await before.sendMessage({ text: 'Apply.' })
    const messageId = before.messages[1]?.id
    const part = (tool: string, state: object) => ({
      type: `tool-${tool}`,
      toolCallId: callOf(before, tool).toolCallId,
      ...state,
    })
    const answered = { state: 'approval-responded', approval: { id: 'any', approved: true } }
    const body = {
      id: 'chat-1',
      trigger: 'submit-message',
      messages: [{ id: messageId, role: 'assistant', parts: [part('apply', answered)] }],
    }
    const first = await post(server, '/jobs/chat', body)
    expect(await first.text()).toMatch(/"waiting":\["[^"]+"\][^]*\[DONE\]\n\n$/)
    const again = await post(server, '/jobs/chat', body)
    expect(await again.text()).toMatch(/"waiting":\["[^"]+"\][^]*\[DONE\]\n\n$/)

    const { messages } = await historyOf(server.url, profile ? `chat-1&profile=${profile}` : 'chat-1')
    const chat = open(server.url, { messages })
    expect([callOf(chat, 'apply').state, callOf(chat, 'send').state]).toEqual([
      'approval-responded',
      'approval-requested',
    ])
    await chat.addToolApprovalResponse({ id: idOf(chat, 'send'), approved: false })
    await waitForText(chat, 'So be it.')

    expect([applied, sent]).toEqual([[3], []])
    expect([callOf(chat, 'apply').state, callOf(chat, 'send').state]).toEqual([
      'output-available',
      'output-denied',
    ])
    expect(chat.messages).toHaveLength(2)
  })

  it('goes on after a reload where another client has edited the first of two calls', async () => {
    const { models } = scriptedModel(twice)
    const { apply, applied } = createApplyTool()
    const { apply: send, applied: sent } = createApplyTool('send')
    await using server = await openServer({ models, tools: [apply, send] })
    const before = open(server.url)
    await before.sendMessage({ text: 'Apply.' })
    const { toolCallId: callId } = callOf(before, 'apply')
    const answer = { kind: 'approval', approved: true, input: { job: 9 } }
    const runId = before.messages[1]?.id
    expect((await post(server, `/v1/runs/${runId}/answers`, { callId, answer })).status).toBe(200)

    const { messages } = await historyOf(server.url, profile ? `chat-1&profile=${profile}` : 'chat-1')
    const chat = open(server.url, { messages })
    await chat.addToolApprovalResponse({ id: idOf(chat, 'send'), approved: true })
    await waitForText(chat, 'So be it.')

    expect(chat.error).toBeUndefined()
    expect([applied, sent]).toEqual([[9], [4]])
  })

  it('continues when another protocol answers', async () => {
    const { models } = scriptedModel(script)
    const { apply, applied } = createApplyTool()
    await using server = await openServer({ models, tools: [apply] })
    const chat = open(server.url)
    await chat.sendMessage({ text: 'Apply.' })
    const { toolCallId } = callOf(chat, 'apply')
    const invocation = {
      state: 'result',
      toolCallId,
      toolName: 'apply',
      args: {},
      result: { approved: true },
    }
    const v4 = await post(server, '/jobs/chat', {
      id: 'chat-1',
      messages: [
        { role: 'assistant', content: '', parts: [{ type: 'tool-invocation', toolInvocation: invocation }] },
      ],
    })
    expect(await v4.text()).toMatch(/^8:.*"answered".*\na:.*"result":[^]*0:"So be it\."[^]*\nd:.*\n$/)

    await chat.addToolApprovalResponse({ id: idOf(chat, 'apply'), approved: false })
    await waitForText(chat, 'So be it.')

    expect(applied).toEqual([3])
    expect(callOf(chat, 'apply')).toMatchObject({ state: 'output-available' })
    expect(chat.messages).toHaveLength(2)
  })
})
