import { describe, expect, it } from 'vitest'

import { reading, textOf } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { calls, linesOf, refuses, says, scriptedModel, step, thinks } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { openV4, v4User, type V4Message } from './sdk-v4.ts'
import { postJson } from '../support/http.ts'

const rich = [
  step(
    thinks('Let me ', 'see.'),
    says('I look. '),
    calls('c1', 'weather', { city: 'Tromsø' }),
    calls('c2', 'teleport', { to: '火星' }),
  ),
  step(says('Es regnet, ', '下雨 ☔️.')),
]
const chatOf = (server: TestServer) => openV4({ api: `${server.url}/jobs/chat` })

/** A blank line is a beat of the data stream. */
const withoutBlankLines = (text: string): string => text.replaceAll(/^\n/gm, '')

describe('the AI SDK client 4.3.19', () => {
  it('has one complete message of text, reasoning and tools, and continues after it', async () => {
    const { models, prompts } = scriptedModel([...rich, step(says('Still here.'))])
    await using server = await openServer({ models, tools: [weather] })
    const chat = chatOf(server)

    const { message, end, error, headers } = await chat.send('chat-1', [v4User('Go.')])

    expect(error).toBeUndefined()
    expect(Object.fromEntries(headers ?? [])).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'x-vercel-ai-data-stream': 'v1',
      'x-run-id': expect.stringMatching(/^run_/),
    })
    expect(end).toMatchObject({ finishReason: 'stop', usage: { totalTokens: 24 } })
    const invocation = { state: 'result', step: 0 }
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_[\w-]{12}$/),
      content: 'I look. Es regnet, 下雨 ☔️.',
      reasoning: 'Let me see.',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', reasoning: 'Let me see.' },
        { type: 'text', text: 'I look. ' },
        {
          type: 'tool-invocation',
          toolInvocation: {
            ...invocation,
            toolName: 'weather',
            args: { city: 'Tromsø' },
            result: { city: 'Tromsø', sky: 'rain' },
          },
        },
        {
          type: 'tool-invocation',
          toolInvocation: {
            ...invocation,
            toolName: 'teleport',
            args: { to: '火星' },
            result: { error: 'There is no tool named teleport.' },
          },
        },
        { type: 'step-start' },
        { type: 'text', text: 'Es regnet, 下雨 ☔️.' },
      ],
      annotations: [{ runId: headers?.get('x-run-id'), conversationId: headers?.get('x-conversation-id') }],
    })

    const second = await chat.send('chat-1', [v4User('Go.'), asSent(message), v4User('And now?')])

    expect(second).toMatchObject({ message: { content: 'Still here.' }, error: undefined })
    const users = linesOf(prompts.at(-1)).filter((line) => line.startsWith('user: '))
    expect(users).toEqual(['user: Go.', 'user: And now?'])
  })

  it('shows the error of a failed run and keeps the text', async () => {
    const { models } = scriptedModel([
      step(says('Half'), calls('c1', 'weather', { city: 'Oslo' })),
      refuses(new Error('key sk-123')),
    ])
    await using server = await openServer({ models, tools: [weather] })

    const { message, end, error } = await chatOf(server).send('chat-1', [v4User('Go.')])

    expect(error).toBe('The model scripted:model did not answer as it should.')
    expect(end).toBeUndefined()
    expect(message?.content).toBe('Half')
    expect(message?.toolInvocations).toMatchObject([{ state: 'result' }])
  })

  it('shows a stopped run in an annotation and has no open call', async () => {
    const held = gate()
    const { models } = scriptedModel([
      step(says('I look.'), calls('c1', 'weather', ['{"city', held, '": ""}'])),
    ])
    await using server = await openServer({ models, tools: [weather] })
    const firstText = Promise.withResolvers<string>()
    const asking = chatOf(server).send('chat-1', [v4User('Go.')], ({ id, toolInvocations }) => {
      if (toolInvocations && id !== undefined) firstText.resolve(id)
    })
    const messageId = await firstText.promise
    await held.reached

    await post(server, '/jobs/chat/stop', { messageId })

    expect(await asking).toMatchObject({
      error: undefined,
      end: { finishReason: 'stop' },
      message: {
        content: 'I look.',
        toolInvocations: [{ state: 'result', result: { error: 'The run was stopped.' } }],
        annotations: [{}, { stopped: true }],
      },
    })
  })

  it('regenerates an answer with reload()', async () => {
    const { models, prompts } = scriptedModel([step(says('One.')), step(says('Two.')), step(says('Three.'))])
    await using server = await openServer({ models })
    const chat = chatOf(server)
    const question = { ...v4User('Go.'), id: 'u1' }
    await chat.send('chat-1', [question])

    expect((await chat.send('chat-1', [question])).message?.content).toBe('Two.')
    const { message } = await chat.send('chat-1', [question, assistantMessage('Two.'), v4User('More.')])

    expect(message?.content).toBe('Three.')
    expect(linesOf(prompts.at(-1))).toEqual(['user: Go.', 'assistant: Two.', 'user: More.'])
  })

  it('gets the whole running answer once after a reload, and nothing if no run is active', async () => {
    const held = gate()
    const { models } = scriptedModel([
      step(says('One.')),
      step(thinks('Hm.'), says('It rains', held, ' here.')),
    ])
    await using server = await openServer({ models })
    const chat = chatOf(server)
    expect(await chat.resume('chat-1')).toMatchObject({ message: undefined, error: undefined })
    await chat.send('chat-1', [v4User('First')])
    expect(await chat.resume('chat-1')).toMatchObject({ message: undefined, error: undefined })
    const asking = chat.send('chat-1', [v4User('First'), assistantMessage('One.'), v4User('Second')])
    await held.reached

    const messages = await historyOf(server, 'chat-1')
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['user', 'First'],
      ['assistant', 'One.'],
      ['user', 'Second'],
    ])
    const resuming = [chat.resume('chat-1', messages), chat.resume('chat-1', messages)]
    const named = reading(await fetch(`${server.url}/jobs/chat/stream?chatId=chat-1`))
    await named.until('It rains')
    held.open()

    const first = await asking
    for (const again of await Promise.all(resuming)) {
      expect(again.message?.id).toBe(first.message?.id)
      expect(again.message).toMatchObject({ content: 'It rains here.', reasoning: 'Hm.' })
      expect(again.message?.parts).toEqual(first.message?.parts)
    }
    expect((await historyOf(server, 'chat-1')).at(-1)).toMatchObject({
      id: first.message?.id,
      content: 'It rains here.',
      parts: first.message?.parts,
      annotations: first.message?.annotations,
    })
  })
})

describe('/jobs/chat in data-stream', () => {
  it('resends the whole stream for any cursor', async () => {
    await using server = await openServer({ ...scriptedModel(rich), tools: [weather] })
    const answer = await post(server, '/jobs/chat', { id: 'chat-1', messages: [v4User('Go.')] })
    const full = await answer.text()
    const run = `${server.url}/v1/runs/${answer.headers.get('x-run-id')}/events?protocol=data-stream`

    for (const cursor of ['1', '5', '1000']) {
      const again = await fetch(`${run}&ids=1`, { headers: { 'last-event-id': cursor } })
      expect(withoutBlankLines(await again.text())).toBe(withoutBlankLines(full))
    }
    expect(withoutBlankLines(await (await fetch(`${run}&showThinking=false`)).text())).toBe(
      withoutBlankLines(full).replaceAll(/^g:.*\n/gm, ''),
    )
  })

  it('serves a cursor in the format that it came from', async () => {
    await using server = await openServer(scriptedModel([step(says('One.'))]))
    const chat = `${server.url}/jobs/chat`
    await (await post(server, '/jobs/chat', { id: 'chat-1', messages: [v4User('Go.')] })).text()

    const back = await fetch(`${chat}/chat-1/stream`, { headers: { 'last-event-id': '3' } })
    const named = await fetch(`${chat}/chat-1/stream?protocol=data-stream`)
    const asOthers = await fetch(`${chat}?chatId=chat-1&protocol=ui-message-stream`)

    expect(await textOf(back)).toMatch(/^id: 4-\w+\n[^]*\[DONE\]\n\n$/)
    expect([named.status, await named.text()]).toEqual([200, ''])
    expect(asOthers.status).toBe(204)
  })

  it('answers in one piece without a stream, and names the field of a missing chat id', async () => {
    await using server = await openServer(scriptedModel([step(says('One.'))]))

    const whole = await post(server, '/jobs/chat', {
      id: 'chat-1',
      messages: [v4User('Go.')],
      options: { stream: false },
    })
    const nameless = await fetch(`${server.url}/jobs/chat/stream`)

    expect(await whole.json()).toMatchObject({ role: 'assistant', content: 'One.' })
    expect([nameless.status, await nameless.json()]).toMatchObject([400, { error: 'chatId is required' }])
  })

  it('accepts the last message by its content and parts', async () => {
    const { models, prompts } = scriptedModel([step(says('One.')), step(says('Two.'))])
    await using server = await openServer({ models })
    await (await post(server, '/jobs/chat', { id: 'chat-1', message: v4User('Go.') })).text()

    const answer = await post(server, '/jobs/chat', { id: 'chat-1', message: v4User('More.') })

    expect(answer.headers.get('x-vercel-ai-data-stream')).toBe('v1')
    expect(await answer.text()).toContain('0:"Two."\n')
    expect(linesOf(prompts.at(-1))).toEqual(['user: Go.', 'assistant: One.', 'user: More.'])
  })
})

/** As the hook posts a message: without its id. */
function asSent(message: V4Message | undefined): V4Message {
  const { id: _, ...rest } = message ?? assistantMessage('')
  return rest
}

function assistantMessage(content: string): V4Message {
  return { role: 'assistant', content, parts: [{ type: 'text', text: content }] }
}

async function historyOf(server: TestServer, id: string): Promise<V4Message[]> {
  const query = `conversationId=${id}&format=ui&protocol=data-stream`
  const answer = await fetch(`${server.url}/jobs/chat/history?${query}`)
  return ((await answer.json()) as { messages: V4Message[] }).messages
}

function post(server: TestServer, path: string, body: object): Promise<Response> {
  return postJson(`${server.url}${path}`, body)
}
