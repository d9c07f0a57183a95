import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../../packages/dragoman/src/index.ts'
import { gate } from '../support/gate.ts'
import { calls, linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { builds, historyOf, openChat, textOf } from './sdk-chat.ts'
import { postJson } from '../support/http.ts'

describe.each(Object.entries(builds))('the AI SDK client %s', (_, load) => {
  it('does not stop the run by disconnecting: the answer is in the history', async () => {
    const held = gate()
    const { models } = scriptedModel([step(says('Hello', held, ' world.'))])
    await using server = await openServer({ models })
    const chat = openChat(await load(), { url: server.url, id: 'chat-1' })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('Hello')

    await chat.stop()
    await sending
    const runId = chat.messages[1]?.metadata?.runId
    held.open()
    await ended(server.url, runId)

    expect(chat.status).toBe('ready')
    expect(textOf(chat.messages[1])).toBe('Hello')
    const { messages, live } = await historyOf(server.url, 'chat-1')
    expect(live).toBeUndefined()
    expect(messages).toMatchObject([
      { role: 'user' },
      {
        id: chat.messages[1]?.id,
        role: 'assistant',
        parts: [{ type: 'step-start' }, { type: 'text', text: 'Hello world.', state: 'done' }],
        metadata: { runId },
      },
    ])
  })

  it('ends an unread answer when it disconnects and sends another message', async () => {
    const held = gate()
    const { models } = scriptedModel([step(says('Hello', held, ' world.')), step(says('As you like.'))])
    await using server = await openServer({ models })
    const chat = openChat(await load(), { url: server.url, id: 'chat-1' })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('Hello')

    await chat.stop()
    await sending
    await chat.sendMessage({ text: 'Something else.' })

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(textOf(chat.messages.at(-1))).toBe('As you like.')
    const { messages } = await historyOf(server.url, 'chat-1')
    expect(messages.map(textOf)).toEqual(['Go.', 'Hello', 'Something else.', 'As you like.'])
    expect(messages[1]?.metadata).toMatchObject({ stopped: true })
  })

  it('is ready, with the text and no open call, when the server stops the run', async () => {
    const held = gate()
    const { models, prompts } = scriptedModel([
      step(
        says('I look.'),
        calls('c1', 'search', {}),
        calls('c2', 'weather', ['{"city', held, '": "Oslo"}']),
      ),
      step(says('As you like.')),
    ])
    await using server = await openServer({ models, tools: [untilStopped, weather] })
    const chat = openChat(await load(), { url: server.url, id: 'chat-1' })
    const sending = chat.sendMessage({ text: 'Go.' })
    await Promise.all([held.reached, chat.shows('tool-weather')])
    const messageId = chat.messages[1]?.id

    const stopped = await post(`${server.url}/jobs/chat/stop`, { messageId })
    await sending

    expect(stopped).toEqual({ stopped: true })
    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(chat.messages).toHaveLength(2)
    expect(chat.messages[1]).toMatchObject({
      id: messageId,
      metadata: { stopped: true, usage: { estimated: true } },
      parts: [
        { type: 'step-start' },
        { type: 'text', text: 'I look.', state: 'done' },
        { type: 'tool-search', state: 'output-error', errorText: 'search was stopped.' },
        { type: 'tool-weather', state: 'output-error', errorText: 'The run was stopped.' },
        { type: 'step-start' },
      ],
    })
    expect(await post(`${server.url}/jobs/chat/stop`, { messageId })).toEqual({ stopped: false })

    await chat.sendMessage({ text: 'Then not.' })

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(textOf(chat.messages[3])).toBe('As you like.')
    expect(linesOf(prompts.at(-1))).toEqual([
      'user: Go.',
      'assistant: I look. [search]',
      'tool: [search]',
      'user: Then not.',
    ])
  })
})

const untilStopped = defineTool({
  name: 'search',
  description: 'Searches until it is stopped.',
  inputSchema: z.object({}),
  execute: (_, { signal }) =>
    new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    ),
})

/** Resolves once the run's log is closed. */
async function ended(url: string, runId: string | undefined): Promise<void> {
  await (await fetch(`${url}/v1/runs/${runId}/events`)).text()
}

async function post(url: string, body: object): Promise<unknown> {
  return (await postJson(url, body)).json()
}
