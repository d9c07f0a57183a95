import { describe, expect, it } from 'vitest'

import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { questionsIn } from '../laws/message-content.ts'
import { createApplyTool, post } from './questions.ts'
import { openV4, v4User, withResult, type V4Answer, type V4Message } from './sdk-v4.ts'

const script = [step(says('I apply.'), calls('c1', 'apply', { job: 3 })), step(says('So be it.'))]
const go = v4User('Apply.')

/** Asks, and gives the message that waits. */
async function askQuestion(
  server: TestServer,
): Promise<{ chat: ReturnType<typeof openV4>; waiting: V4Message }> {
  const chat = openV4({ api: `${server.url}/jobs/chat` })
  const { message, error, end } = await chat.send('chat-1', [go])
  expect({ error, reason: end?.finishReason }).toEqual({ error: undefined, reason: 'tool-calls' })
  if (!message) throw new Error('There is no message.')
  return { chat, waiting: message }
}

/** As the hook posts a message: without its id. */
function nameless(message: V4Message): V4Message {
  const { id: _id, ...rest } = message
  return rest
}

function questionsOf({ annotations = [] }: V4Message): object[] {
  return Object.values(questionsIn(annotations)) as object[]
}

function expectDone({ message, end, error }: V4Answer, waiting: V4Message): void {
  expect({ error, reason: end?.finishReason }).toEqual({ error: undefined, reason: 'stop' })
  expect(message).toMatchObject({ id: waiting.id, content: 'I apply.So be it.' })
  expect(message?.parts.map(({ type }) => type)).toEqual([
    'step-start',
    'text',
    'tool-invocation',
    'step-start',
    'text',
  ])
}

describe('the AI SDK client 4.3.19', () => {
  it.each([
    { verdict: { approved: true }, result: null, done: [3] },
    { verdict: { approved: false }, result: { error: 'The user did not allow apply.' }, done: [] },
  ])(
    'answers a question with $verdict, and gets the rest in the same message',
    async ({ verdict, result, done }) => {
      const { models } = scriptedModel(script)
      const { apply, applied } = createApplyTool()
      await using server = await openServer({ models, tools: [apply] })
      const { chat, waiting } = await askQuestion(server)
      expect(waiting.toolInvocations).toMatchObject([{ state: 'call', args: { job: 3 } }])
      expect(questionsOf(waiting)).toMatchObject([{ tool: 'apply', kind: 'approval', state: 'open' }])

      const answer = await chat.send('chat-1', [go, withResult(waiting, verdict)])

      expectDone(answer, waiting)
      expect(answer.message?.toolInvocations).toMatchObject([{ state: 'result', result }])
      expect(questionsOf(answer.message ?? waiting)).toMatchObject([{ state: 'answered', answer: verdict }])
      expect(applied).toEqual(done)
    },
  )

  it('answers without a message id after a reload', async () => {
    const { models } = scriptedModel(script)
    const { apply, applied } = createApplyTool()
    await using server = await openServer({ models, tools: [apply] })
    const { chat, waiting } = await askQuestion(server)

    const query = 'conversationId=chat-1&format=ui&protocol=data-stream'
    const history = await fetch(`${server.url}/jobs/chat/history?${query}`)
    const { messages } = (await history.json()) as { messages: V4Message[] }
    expect(await chat.resume('chat-1', messages)).toMatchObject({ message: undefined, error: undefined })
    const loaded = messages.at(-1) ?? waiting
    expect(questionsOf(loaded)).toEqual(questionsOf(waiting))
    const { message, error } = await chat.send('chat-1', [
      go,
      nameless(withResult(loaded, { approved: true })),
    ])

    expect(error).toBeUndefined()
    expect(message).toMatchObject({ content: 'I apply.So be it.' })
    expect(applied).toEqual([3])
  })

  it('runs a client tool', async () => {
    const { models, prompts } = scriptedModel([step(calls('c1', 'where', {})), step(says('In Oslo.'))])
    await using server = await openServer({ models })
    const chat = openV4({ api: `${server.url}/jobs/chat` })
    const body = { tools: { where: { parameters: { type: 'object', properties: {} } } } }
    const { message } = await chat.send('chat-1', [go], undefined, body)

    const answer = await chat.send(
      'chat-1',
      [go, withResult(message ?? go, { city: 'Oslo' })],
      undefined,
      body,
    )

    expect(answer).toMatchObject({ error: undefined, message: { id: message?.id, content: 'In Oslo.' } })
    expect(JSON.stringify(prompts[1])).toContain('Oslo')
  })

  it('shows a stop of the suspended run and has nothing to send', async () => {
    const { models } = scriptedModel(script)
    const { apply, applied } = createApplyTool()
    await using server = await openServer({ models, tools: [apply] })
    const { chat, waiting } = await askQuestion(server)
    await post(server, '/jobs/chat/stop', { messageId: waiting.id })

    const { message, error } = await chat.send('chat-1', [go, withResult(waiting, { approved: true })])

    expect(error).toBeUndefined()
    expect(JSON.stringify(message?.annotations)).toContain('"stopped":true')
    expect(message?.toolInvocations).toMatchObject([
      { state: 'result', result: { error: expect.any(String) } },
    ])
    // With `maxSteps` the client sends a message whose last step has nothing but results.
    expect(message?.parts.at(-1)?.type).toBe('step-start')
    expect(applied).toEqual([])
  })
})
