import { convertToModelMessages, validateUIMessages, type UIMessage } from 'ai'
import { describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { linesOf, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { builds, historyOf, openChat, textOf, type ChatMessage } from './sdk-chat.ts'
import { openV4, v4User, type V4Message } from './sdk-v4.ts'

/** What the user has said in the midst of a message. */
function joinedIn(message: { readonly parts: readonly unknown[] } | undefined): unknown[] {
  const dataParts = (message?.parts ?? []) as readonly { type: string; data?: { parts: unknown } }[]
  return dataParts.flatMap(({ type, data }) => (type === 'data-user-message' ? [data?.parts] : []))
}

const steering = [{ type: 'text', text: 'Aside' }]

/** A page on which an answer goes on, and another of the same chat that says something to it. */
async function steered(load: (typeof builds)[string], options: object = {}) {
  const hold = gate()
  const script = [step(says('One', hold, '.')), step(says('Two.')), step(says('Three.'))]
  const { models, prompts } = scriptedModel(script)
  const server = await openServer({ models })
  const sdk = await load()
  const page = { url: server.url, id: 'chat-1', body: { options } }
  const chat = openChat(sdk, page)
  const first = chat.sendMessage({ text: 'First' })
  await hold.reached
  await chat.shows('One')
  const { messages, live } = await historyOf(server.url, 'chat-1')
  const half = { id: live?.messageId ?? '', role: 'assistant', parts: [] } as ChatMessage
  const other = openChat(sdk, { ...page, messages: [...messages, half], body: { policy: 'steer', options } })
  const second = other.sendMessage({ text: 'Aside' })
  await chat.shows('Aside')
  hold.open()
  await Promise.all([first, second])
  return { server, prompts, chat, other }
}

describe.each(Object.entries(builds))('a steering message in the AI SDK client %s', (build, load) => {
  it('reaches every reader and a reloaded page', async () => {
    const { server, chat } = await steered(load)
    await using _ = server

    const { messages } = await historyOf(server.url, 'chat-1')

    expect(chat.messages.map(textOf)).toEqual(['First', 'One.Two.'])
    expect(messages.map(textOf)).toEqual(['First', 'One.Two.'])
    expect([joinedIn(chat.messages.at(-1)), joinedIn(messages.at(-1))]).toEqual([[steering], [steering]])
  })

  it('reaches the model once, from either page', async () => {
    const { server, prompts, other } = await steered(load)
    await using _ = server

    await other.sendMessage({ text: 'Second' })

    expect(other.messages.map(textOf)).toEqual(['First', '', 'Aside', 'Two.', 'Second', 'Three.'])
    const lines = ['user: First', 'assistant: One.', 'user: Aside', 'assistant: Two.', 'user: Second']
    expect(linesOf(prompts.at(-1))).toEqual(lines)
    const { messages } = await historyOf(server.url, 'chat-1')
    expect(messages.map(textOf)).toEqual(['First', 'One.Two.', 'Second', 'Three.'])
  })
})

describe('a steering message in the newest AI SDK client', () => {
  it('is a part of its own where the page asks for it', async () => {
    const { server, chat } = await steered(() => import('ai'), { steeringMessages: true })
    await using _ = server
    const isOwn = ({ type }: { readonly type: string }): boolean => type === 'steering-message'
    const query = 'format=ui&conversationId=chat-1&steeringMessages=true'
    const history = await fetch(`${server.url}/jobs/chat/history?${query}`)

    const { messages } = (await history.json()) as { messages: UIMessage[] }

    const part = { type: 'steering-message', parts: steering }
    expect(chat.messages.at(-1)?.parts.filter(isOwn)).toEqual([expect.objectContaining(part)])
    expect(messages.at(-1)?.parts.filter(isOwn)).toEqual([expect.objectContaining(part)])
    const valid = await validateUIMessages({ messages })
    const roles = (await convertToModelMessages(valid)).map(({ role }) => role)
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant'])
  })
})

describe('a steering message', () => {
  /** A chat whose answer is held, and what one who joins it is told, by the address and the body of the request. */
  async function joining() {
    const hold = gate()
    const { models } = scriptedModel([step(says('One', hold, '.')), step(says('Two.'))])
    const server = await openServer({ models })
    const chat = `${server.url}/jobs/chat`
    const first = openV4({ api: chat }).send('chat-1', [v4User('First')])
    await hold.reached
    return { server, chat, first, hold }
  }
  const body = { id: 'chat-1', policy: 'steer', message: { role: 'user', parts: steering } }

  it('reaches every reader and a reloaded page of the AI SDK client 4.3.19', async () => {
    const { server, chat, first, hold } = await joining()
    await using _ = server

    const other = openV4({ api: chat }).send('chat-1', [v4User('Aside')], undefined, { policy: 'steer' })
    const { live } = await historyOf(server.url, 'chat-1')
    const readStream = async (): Promise<string> =>
      (await fetch(`${server.url}/v1/runs/${live?.messageId}`)).text()
    await expect.poll(readStream).toContain('Aside')
    hold.open()

    const { message } = await first
    const history = await fetch(`${chat}/history?conversationId=chat-1&format=ui&protocol=data-stream`)
    const { messages } = (await history.json()) as { messages: V4Message[] }
    for (const shownMessage of [message, messages.at(-1)])
      expect(joinedIn({ parts: shownMessage?.annotations ?? [] })).toEqual([steering])
    expect((await other).error).toBeUndefined()
    expect((await other).message?.content).toBe('Two.')
  })

  it('is regenerated at its place in the answer', async () => {
    const { server, chat, hold } = await joining()
    await using _ = server

    const answer = await fetch(chat, { method: 'POST', body: JSON.stringify(body) })
    const place = answer.headers.get('x-after') ?? ''
    const again = await fetch(`${chat}/${answer.headers.get('x-run-id')}/stream?after=${place}`)
    hold.open()

    const text = await answer.text()
    expect(place).toMatch(/^\d+\.s-\w+$/)
    expect(text).toMatch(/^(: ping\n\n)?id: \d+-\w+\ndata: \{"type":"start-step"\}/)
    expect(text).toContain('Two.')
    expect((await again.text()).replace(': ping\n\n', '')).toBe(text.replace(': ping\n\n', ''))
  })
})
