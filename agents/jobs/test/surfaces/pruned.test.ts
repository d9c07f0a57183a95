import { beforeEach, describe, expect, it } from 'vitest'

import { builds, historyOf, openChat, textOf } from '../../../../test/clients/sdk-chat.ts'
import { chatServer } from '../support/chat.ts'
import { eventsOf, reading } from '../../../../test/support/event-stream.ts'
import { client } from '../../../../test/support/http.ts'
import { openHomeStorage } from '../../../../test/support/home-storage.ts'
import { eveRequest } from '../support/eve-request.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'

const useChat = {
  id: 'chat-1',
  messages: [{ id: 'm1', role: 'user', parts: [{ type: 'text', text: 'go' }] }],
}

describe('a run that has ended', () => {
  const chat = chatServer({ isOnDisk: true })
  let run: string
  let thread: string
  let whole: Buffer
  let history: Record<string, unknown>
  const get = (path: string, headers = {}): Promise<Response> => client(chat.server).get(path, headers)
  const events = (headers = {}): Promise<Response> => get(`/v1/runs/${run}/events`, headers)

  beforeEach(async () => {
    chat.model.play([step(calls('c1', 'look', {})), step(says('It ', 'is ', '好。')), step(says('Next.'))])
    const answer = await client(chat.server).post('/jobs/chat', useChat)
    run = String(answer.headers.get('x-run-id'))
    thread = String(answer.headers.get('x-conversation-id'))
    await answer.text()
    whole = await reading(await events()).whole()
    history = (await client(chat.server).json('GET', `/v1/runs/${run}`)).body
    // What was said stands in rows before its log may go.
    await chat.history('chat-1')
  })

  /** As the upkeep does it, long after. */
  const upkeep = async (what: 'pack' | 'prune'): Promise<void> => {
    const { store, close } = await openHomeStorage(chat.server.home)
    while (await store[what](Date.now() + 1));
    await close()
  }

  it('sends the same bytes after its log was packed', async () => {
    await upkeep('pack')

    expect((await reading(await events()).whole()).equals(whole)).toBe(true)
    for (const { id, end } of eventsOf(whole)) {
      const rest = await reading(await events({ 'last-event-id': String(id) })).whole()
      expect(rest.equals(whole.subarray(end))).toBe(true)
    }
    expect((await client(chat.server).json('GET', `/v1/runs/${run}`)).body).toEqual(history)
  })

  it('refuses readers after its log was pruned, with a link to the messages', async () => {
    const last = eventsOf(whole).at(-1)?.id
    await upkeep('prune')

    const refusal = {
      code: 'log-pruned',
      runId: run,
      conversationId: thread,
      history: `/v1/threads/${thread}/messages`,
    }
    for (const request of [
      events(),
      events({ 'last-event-id': '3' }),
      events({ 'last-event-id': String(last) }),
      get('/jobs/chat/chat-1/stream', { 'last-event-id': '3' }),
      get(`/jobs/chat/${run}/stream`, { 'last-event-id': '3' }),
      get(`/jobs/chat/${run}/stream?startIndex=4`),
      client(chat.server).post('/jobs/chat', useChat),
      client(chat.server).post('/jobs/chat', { ...useChat, options: { stream: false } }),
    ]) {
      const response = await request
      expect([response.status, await response.json()]).toMatchObject([410, refusal])
    }
    expect(chat.model.prompts).toHaveLength(2)
    const { messages } = (await client(chat.server).json('GET', refusal.history)).body
    expect(JSON.stringify(messages)).toContain('It is 好。')
  })

  it('is shown from its row after its log was pruned, and the conversation continues', async () => {
    await upkeep('prune')

    const { run: row, ...rest } = (await client(chat.server).json('GET', `/v1/runs/${run}`)).body
    expect(row).toEqual({ ...(history['run'] as object), pruned: true })
    expect(rest).toEqual({ message: history['message'] })

    const next = await client(chat.server).post(
      '/jobs/chat',
      eveRequest('and?', { conversationId: 'chat-1' }),
    )
    expect(await next.text()).toContain('Next.')
    expect(JSON.stringify(chat.model.prompts[2])).toContain('It is 好。')
    expect(await client(chat.server).json('POST', `/v1/runs/${run}/stop`)).toMatchObject({
      body: { stopped: false },
    })
  })

  it.each(Object.entries(builds))(
    'adds nothing to a page of %s after its log was pruned',
    async (_build, load) => {
      await upkeep('prune')
      const { url } = chat.server
      const { messages } = await historyOf(url, 'chat-1')
      const sdk = await load()

      for (const name of ['chat-1', run]) {
        const page = openChat(sdk, { url, id: name, messages })
        await page.resumeStream()
        expect(page.error).toBeUndefined()
        expect(page.messages.map(textOf)).toEqual(['go', 'It is 好。'])
      }
      const v4 = await get(`/jobs/chat?chatId=${run}`)
      expect([v4.status, await v4.text()]).toEqual([200, ''])
    },
  )
})
