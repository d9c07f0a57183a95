import { request } from 'node:http'

import { WebSocketChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import * as sdk from 'ai'
import { describe, expect, it } from 'vitest'

import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { expectNoWarnings } from '../support/expect-no-warnings.ts'
import { withTokens } from '../support/users.ts'
import { callOf, createApplyTool, waitForText } from './questions.ts'
import { openChat, textOf, type ChatMessage } from './sdk-chat.ts'

expectNoWarnings()

const transportOf = (url: string, params: Record<string, string> = {}) =>
  new WebSocketChatTransport<ChatMessage>({ url: `${url}/jobs/chat`, params })
type Transport = ReturnType<typeof transportOf>
const openWith = (transport: Transport, id = 'chat-1', messages: readonly ChatMessage[] = []) =>
  openChat(sdk, {
    url: '',
    id,
    messages,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })

/** What an upgrade gets that is not accepted: its status and its body. */
function refusalOf(url: string, path: string, headers: Record<string, string>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const handshake = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  }
  request(`${url}${path}`, { headers: { ...handshake, ...headers } })
    .on('response', (response) => {
      response.setEncoding('utf8').once('data', (text: string) => resolve(`${response.statusCode} ${text}`))
    })
    .on('upgrade', (response, socket) => {
      socket.destroy()
      resolve(String(response.statusCode))
    })
    .on('error', reject)
    .end()
  return promise
}

/** Sends frames on a WebSocket of its own, and gives the first replies. */
async function exchange(url: string, frames: readonly string[], count: number): Promise<readonly object[]> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/jobs/chat`)
  const replies: object[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.addEventListener('message', ({ data }) => {
    replies.push(JSON.parse(String(data)) as object)
    if (replies.length >= count) resolve()
  })
  socket.addEventListener('close', ({ code }) => {
    replies.push({ code })
    resolve()
  })
  socket.addEventListener('open', () => {
    for (const frame of frames) socket.send(frame)
  })
  await promise
  const result = [...replies]
  socket.close()
  return result
}

describe('the WebSocketChatTransport of the AI SDK', () => {
  it('sends several messages over one connection', async () => {
    const { models, prompts } = scriptedModel([step(says('One.')), step(says('Two.'))])
    await using server = await openServer({ models })
    const transport = transportOf(server.url)
    const chat = openWith(transport)
    await chat.sendMessage({ text: 'First' })
    await chat.sendMessage({ text: 'Second' })

    expect(chat.messages.map(textOf)).toEqual(['First', 'One.', 'Second', 'Two.'])
    expect(chat.error).toBeUndefined()
    expect(prompts).toHaveLength(2)
    expect(await transport.reconnectToStream({ chatId: 'chat-1' })).toBeNull()
    transport.close()
  })

  it('resumes a run whose connection was cut', async () => {
    const held = gate()
    const { models } = scriptedModel([step(says('Begin. ', held, 'End.'))])
    await using server = await openServer({ models })
    const first = transportOf(server.url)
    const chat = openWith(first)
    const sending = chat.sendMessage({ text: 'Go' })
    await chat.shows('Begin.')
    first.close()
    await sending

    const later = transportOf(server.url)
    const again = openWith(later, 'chat-1', chat.messages.slice(0, 1))
    const resuming = again.resumeStream()
    await again.shows('Begin.')
    held.open()
    await resuming

    expect(again.messages.map(textOf)).toEqual(['Go', 'Begin. End.'])
    later.close()
  })

  it('stops the run', async () => {
    const held = gate()
    const { models } = scriptedModel([step(says('Begin. ', held, 'End.')), step(says('Next.'))])
    await using server = await openServer({ models })
    const transport = transportOf(server.url)
    const chat = openWith(transport)
    const sending = chat.sendMessage({ text: 'Go' })
    await chat.shows('Begin.')
    await chat.stop()
    await sending
    await chat.sendMessage({ text: 'And now?' })

    expect(chat.messages.map(textOf)).toEqual(['Go', 'Begin. ', 'And now?', 'Next.'])
    expect(await transport.reconnectToStream({ chatId: 'chat-1' })).toBeNull()
    transport.close()
  })

  it('approves a call of a run that waits', async () => {
    const { models } = scriptedModel([step(calls('c1', 'apply', { job: 3 })), step(says('So be it.'))])
    const { apply, applied } = createApplyTool()
    await using server = await openServer({ models, tools: [apply] })
    const transport = transportOf(server.url)
    const chat = openWith(transport)
    await chat.sendMessage({ text: 'Apply.' })
    const { approval } = callOf(chat, 'apply') as unknown as { readonly approval: { readonly id: string } }
    await chat.addToolApprovalResponse({ id: approval.id, approved: true })
    await waitForText(chat, 'So be it.')

    expect(applied).toEqual([3])
    transport.close()
  })

  it('gets the reason of a refusal', async () => {
    const { models } = scriptedModel([])
    await using server = await openServer({ models, limits: { bodyBytes: 100_000 } })
    const send = (messages: unknown): string =>
      JSON.stringify({ type: 'send', requestId: 'r', id: 'c', headers: {}, body: {}, messages })
    const long = [{ id: 'm', role: 'user', parts: [{ type: 'text', text: 'x'.repeat(200_000) }] }]

    expect(await exchange(server.url, [send('none')], 1)).toEqual([
      { type: 'error', requestId: 'r', errorText: expect.stringContaining('messages') },
    ])
    expect(await exchange(server.url, [send([])], 1)).toEqual([
      { type: 'error', requestId: 'r', errorText: expect.stringContaining('messages') },
    ])
    expect(await exchange(server.url, ['{'], 1)).toEqual([
      { type: 'error', requestId: '', errorText: 'The message is not JSON.' },
    ])
    const resume = { type: 'resume', requestId: 'r', id: 'c', headers: {}, body: {}, lastSequence: 3 }
    expect(await exchange(server.url, [JSON.stringify(resume)], 1)).toEqual([
      { type: 'error', requestId: 'r', errorText: expect.stringContaining('lastSequence') },
    ])
    expect(await exchange(server.url, [send(long)], 1)).toEqual([{ code: 1009 }])
  })
})

describe('a WebSocket at a chat', () => {
  const withUsers = (): Promise<TestServer> =>
    openServer({
      ...scriptedModel([step(says('Hello.'))]),
      isOnDisk: true,
      users: ['ada'],
      flags: ['--require-token'],
    })

  it('needs a token, in the query or a header', async () => {
    await using server = await withUsers()
    const token = server.token('ada')
    expect(await refusalOf(server.url, '/jobs/chat', {})).toMatch(/^401 .*A token is needed/)
    expect(await refusalOf(server.url, '/jobs/chat?token=dgm_wrong', {})).toMatch(/^401 /)
    expect(await refusalOf(server.url, '/jobs/chat', { authorization: `Bearer ${token}` })).toBe('101')
    expect(await refusalOf(server.url, '/none/chat', {})).toMatch(/^401 /)
    expect(await refusalOf(server.url, `/none/chat?token=${token}`, {})).toMatch(/^404 /)
    const foreign = { origin: 'https://evil.example' }
    expect(await refusalOf(server.url, `/jobs/chat?token=${token}`, foreign)).toMatch(/^403 /)

    const transport = transportOf(server.url, { token })
    const chat = openWith(transport)
    await chat.sendMessage({ text: 'Hi' })
    expect(chat.messages.map(textOf)).toEqual(['Hi', 'Hello.'])
    transport.close()
  })

  it('closes when its token is revoked', async () => {
    await using server = await withUsers()
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/jobs/chat?token=${server.token('ada')}`)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
    await withTokens(server.home, (all) => all.revoke('ada'))
    await closed
  })

  it('is closed with the server', async () => {
    const server = await openServer(scriptedModel([]))
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/jobs/chat`)
    await new Promise((resolve) => socket.addEventListener('open', resolve))
    const closed = new Promise((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
    await server[Symbol.asyncDispose]()

    expect(await closed).toBe(1001)
  })

  it('is refused for another host where no token is needed', async () => {
    await using server = await openServer(scriptedModel([]))
    expect(await refusalOf(server.url, '/jobs/chat', { host: 'evil.example' })).toMatch(/^403 /)
  })
})
