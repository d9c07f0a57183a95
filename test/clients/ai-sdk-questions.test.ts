import { beforeAll, describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { calls, linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { createApplyTool, callOf, post, questionsOf, waitForText } from './questions.ts'
import { builds, historyOf, openChat, textOf, type Sdk } from './sdk-chat.ts'

const script = [step(says('I apply.'), calls('c1', 'apply', { job: 3 })), step(says('So be it.'))]

describe.each(Object.entries(builds))('the AI SDK client %s as version 5', (build, load) => {
  let sdk: Sdk
  beforeAll(async () => {
    sdk = await load()
  })
  const whole = () => ({ sendAutomaticallyWhen: sdk.lastAssistantMessageIsCompleteWithToolCalls })

  it.each([
    { verdict: { approved: true }, state: 'output-available', done: [3] },
    { verdict: { approved: false, reason: '太远' }, state: 'output-error', done: [] },
  ])(
    'answers a question with $verdict, and gets the rest in the same message',
    async ({ verdict, state, done }) => {
      const { models, prompts } = scriptedModel(script)
      const { apply, applied } = createApplyTool()
      await using server = await openServer({ models, tools: [apply] })
      const chat = openChat(sdk, { url: server.url, id: 'chat-1', profile: 'v5', ...whole() })
      await chat.sendMessage({ text: 'Apply.' })
      const { toolCallId } = callOf(chat, 'apply')

      expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
      expect(callOf(chat, 'apply')).toMatchObject({ state: 'input-available', input: { job: 3 } })
      expect(questionsOf(chat)).toMatchObject([
        { callId: toolCallId, tool: 'apply', input: { job: 3 }, kind: 'approval', state: 'open' },
      ])
      expect(chat.messages[1]?.metadata).toMatchObject({
        finishReason: 'tool-calls',
        waiting: [toolCallId],
      })
      expect(applied).toEqual([])

      await chat.give('apply', toolCallId, verdict)
      await waitForText(chat, 'So be it.')

      expect(applied).toEqual(done)
      expect(chat.messages).toHaveLength(2)
      expect(textOf(chat.messages[1])).toBe('I apply.So be it.')
      expect(callOf(chat, 'apply')).toMatchObject({ toolCallId, state })
      expect(questionsOf(chat)).toMatchObject([{ callId: toolCallId, state: 'answered', answer: verdict }])
      expect(chat.messages[1]?.metadata).toMatchObject({ finishReason: 'stop', waiting: [] })
      expect(prompts).toHaveLength(2)
      expect((await historyOf(server.url, 'chat-1&profile=v5')).messages[1]?.id).toBe(chat.messages[1]?.id)
    },
  )

  it('runs a client tool and continues automatically', async () => {
    const { models, prompts } = scriptedModel([
      step(calls('c1', 'where', {}), calls('c2', 'weather', { city: 'Oslo' })),
      step(says('You are in Oslo.')),
    ])
    await using server = await openServer({ models, tools: [weather] })
    const schema = { type: 'object', properties: {} }
    const chat = openChat(sdk, {
      url: server.url,
      id: 'chat-1',
      ...whole(),
      body: { tools: { where: { description: 'Where the user is.', inputSchema: schema } } },
      onToolCall({ toolCallId, toolName }) {
        if (toolName === 'where') void chat.give('where', toolCallId, { city: 'Oslo' })
      },
    })

    await chat.sendMessage({ text: 'Where am I?' })
    await waitForText(chat, 'You are in Oslo.')

    expect(chat.messages).toHaveLength(2)
    const result = { state: 'output-available', output: { city: 'Oslo' } }
    expect(callOf(chat, 'where')).toMatchObject(result)
    expect(callOf(await historyOf(server.url, 'chat-1&profile=v5'), 'where')).toMatchObject(result)
    expect(callOf(chat, 'weather')).toMatchObject({ state: 'output-available' })
    expect(JSON.stringify(prompts[1])).toContain('{\\"city\\":\\"Oslo\\"}')
    expect(linesOf(prompts[1])).toEqual([
      'user: Where am I?',
      'assistant: [where] [weather]',
      expect.any(String),
    ])
  })

  it('shows one complete message after a reload before the answer', async () => {
    const { models } = scriptedModel(script)
    const { apply, applied } = createApplyTool()
    await using server = await openServer({ models, tools: [apply] })
    const before = openChat(sdk, { url: server.url, id: 'chat-1', profile: 'v5' })
    await before.sendMessage({ text: 'Apply.' })

    const { messages } = await historyOf(server.url, 'chat-1&profile=v5')
    const chat = openChat(sdk, { url: server.url, id: 'chat-1', profile: 'v5', messages, ...whole() })
    const resume = await fetch(`${server.url}/jobs/chat/chat-1/stream`)
    expect(resume.status).toBe(204)
    expect(questionsOf(chat)).toEqual(questionsOf(before))
    await chat.give('apply', callOf(chat, 'apply').toolCallId, { approved: true })
    await waitForText(chat, 'So be it.')

    expect(applied).toEqual([3])
    expect(chat.messages).toHaveLength(2)
    expect(chat.messages[1]?.id).toBe(before.messages[1]?.id)
    expect(chat.messages[1]?.parts.filter(({ type }) => type !== 'data-question')).toMatchObject([
      { type: 'step-start' },
      { type: 'text', text: 'I apply.' },
      { type: 'tool-apply', state: 'output-available' },
      { type: 'step-start' },
      { type: 'text', text: 'So be it.' },
    ])
  })

  it('shows the message once after a reload during the tool', async () => {
    const held = gate()
    const { models } = scriptedModel(script)
    const { apply } = createApplyTool('apply', held)
    await using server = await openServer({ models, tools: [apply] })
    // A reader who says nothing of itself when it comes back is told what the first one wanted.
    const profile = `v${build[0]}`
    const before = openChat(sdk, { url: server.url, id: 'chat-1', profile })
    await before.sendMessage({ text: 'Apply.' })
    const result = { ...callOf(before, 'apply'), state: 'output-available', output: { approved: true } }
    const answered = { id: before.messages[1]?.id, role: 'assistant', parts: [result] }
    const answer = await post(server, '/jobs/chat', { id: 'chat-1', messages: [answered] })
    await held.reached

    const { messages } = await historyOf(server.url, 'chat-1&profile=v5')
    expect(messages.map(({ role }) => role)).toEqual(['user'])
    const chat = openChat(sdk, { url: server.url, id: 'chat-1', profile: 'v5', messages })
    const resumed = chat.resumeStream()
    await chat.shows('tool-apply')
    await expect
      .poll(() => callOf(chat, 'apply').state)
      .toBe(profile === 'v7' ? 'approval-responded' : 'input-available')
    held.open()
    await Promise.all([resumed, answer.text()])

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(chat.messages).toHaveLength(2)
    expect(textOf(chat.messages[1])).toBe('I apply.So be it.')
    expect(callOf(chat, 'apply')).toMatchObject({ state: 'output-available' })
    expect(chat.messages[1]?.metadata).toMatchObject({ finishReason: 'stop', waiting: [] })
  })

  it('shows a stop of the suspended run and no open question', async () => {
    const { models, prompts } = scriptedModel(script)
    const { apply, applied } = createApplyTool()
    await using server = await openServer({ models, tools: [apply] })
    const chat = openChat(sdk, { url: server.url, id: 'chat-1', profile: 'v5', ...whole() })
    await chat.sendMessage({ text: 'Apply.' })
    const stopped = await post(server, '/jobs/chat/stop', { conversationId: 'chat-1' })
    expect(await stopped.json()).toEqual({ stopped: true })

    await chat.give('apply', callOf(chat, 'apply').toolCallId, { approved: true })
    await expect.poll(() => chat.messages[1]?.metadata).toMatchObject({ stopped: true, waiting: [] })
    await expect.poll(() => chat.status).toBe('ready')

    expect(chat.error).toBeUndefined()
    expect(applied).toEqual([])
    expect(prompts).toHaveLength(1)
    expect(callOf(chat, 'apply')).toMatchObject({ state: 'output-error' })
    expect(questionsOf(chat)).toMatchObject([{ state: 'closed' }])
    expect(chat.messages).toHaveLength(2)
  })
})
