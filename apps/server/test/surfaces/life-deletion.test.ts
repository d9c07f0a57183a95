import { describe, expect, it, vi } from 'vitest'

import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import type { Json } from '../../../../packages/dragoman/src/index.ts'
import { configured } from '../../../../test/support/configured.ts'
import { readStored } from '../../../../test/support/home-storage.ts'
import { calls, says, step } from '../../../../test/support/scripted-model.ts'
import type { ServerOptions, TestServer } from '../../../../test/support/server.ts'
import { bearer } from '../../../../test/support/users.ts'
import { ask } from '../../../../test/support/wire.ts'
import { bundledAgents } from '../../src/main.ts'

const house = configured()
const STREAM = '/api/v1/chat/v5/stream'
const offline: Partial<ServerOptions> = { models: createModels({ env: {}, offlinePace: 0 }) }
const open = (more: Partial<ServerOptions> = offline) =>
  house.open({ requireToken: true, guests: true }, { agents: bundledAgents, isOnDisk: true, ...more })

async function guestOf({ url }: TestServer) {
  const first = await ask(url, { path: '/life/profile' })
  const [cookie = ''] = String((first.headers['set-cookie'] as string[])[0]).split(';')
  return callerOf(url, { cookie })
}
function callerOf(url: string, headers: Record<string, string>) {
  const send = (method: string, path: string, body?: Json) =>
    ask(url, { method, path, headers, ...(body !== undefined && { body }) })
  return {
    headers,
    send,
    say: async (message: string, conversation_id = 'evening') =>
      (await send('POST', STREAM, { message, conversation_id })).text,
    /** As useChat sends it. */
    chat: async (text: string, id = 'evening') =>
      (
        await send('POST', STREAM, {
          id,
          messages: [{ id: text, role: 'user', parts: [{ type: 'text', text }] }],
        })
      ).text,

    conversations: async () => {
      const { json } = await send('GET', '/api/v1/chat/v5/conversations')
      return (json['conversations'] as Json[]).length
    },
  }
}
/** Which of the words are stored. */
async function found(words: readonly string[]): Promise<string[]> {
  const stored = await readStored(house.home)
  return words.filter((word) => stored.includes(word))
}

const talks = {
  zh: {
    tells: '我是1990年5月15日下午2点半生的，男，成都，帮我排八字',
    remembers: '记住我喜欢攀登珠穆朗玛峰',
    asks: '删除我的数据',
    confirm: '确认删除',
    question: '请回复“确认删除”',
    done: '都已永久删除',
    words: ['攀登珠穆朗玛峰', '1990年5月15日下午2点半'],
  },
  en: {
    tells: 'I was born on 15 May 1990 at 2:30pm in Chengdu, male: show me my chart',
    remembers: 'remember that I like climbing Mount Everest',
    asks: 'Delete my data',
    confirm: 'Confirm delete',
    question: 'reply “confirm delete”',
    done: 'are deleted for good',
    words: ['climbing Mount Everest', 'born on 15 May 1990'],
  },
} as const

describe.each(Object.entries(talks))('a guest who requests a deletion in %s', (_language, texts) => {
  it.each(['say', 'chat'] as const)(
    'confirms it in the next message, and all data is deleted: %s',
    async (how) => {
      const { server } = await open()
      const guest = await guestOf(server)
      await guest[how](texts.tells, 'morning')
      await guest[how](texts.remembers)

      const question = await guest[how](texts.asks)
      expect(question).toContain(texts.question)
      expect(question).not.toContain('search_db')
      expect((await guest.send('GET', '/life/memories')).json['total']).toBe(1)
      const done = await guest[how](texts.confirm)

      expect(done).toContain(texts.done)
      expect((await guest.send('GET', '/life/memories')).json['total']).toBe(0)
      expect((await guest.send('GET', '/life/export')).text).not.toContain('1990')
      await vi.waitFor(async () => expect(await guest.conversations()).toBe(0), { timeout: 30_000 })
      await server[Symbol.asyncDispose]()
      expect(await found(texts.words)).toEqual([])
    },
  )
})

describe('a deletion', () => {
  it('requires the confirmation right after the question', async () => {
    const { server } = await open()
    const guest = await guestOf(server)
    await guest.say('记住我喜欢爬山')

    await guest.say('确认删除')
    await guest.say('删除我的数据', 'other')
    await guest.say('好的', 'other')
    await guest.say('今天宜忌什么？', 'other')

    expect((await guest.send('GET', '/life/memories')).json['total']).toBe(1)
  })

  it('cannot be confirmed by a model', async () => {
    const deletes = () => step(calls('c', 'delete_my_data', {}))
    const { server, model } = await house.open(
      { requireToken: true, guests: true },
      { agents: bundledAgents },
    )
    const guest = await guestOf(server)
    await guest.send('POST', '/life/memories', { content: '喜欢爬山' })
    model.play([deletes(), deletes(), step(says('已删除。'))])
    await guest.say('把我的东西清掉')
    expect((await guest.send('GET', '/life/memories')).json['total']).toBe(1)

    model.play([deletes(), step(says('已删除。'))])
    await guest.say('确认删除')

    expect((await guest.send('GET', '/life/memories')).json['total']).toBe(0)
  })

  it('that was interrupted is completed by the next server', async () => {
    const { server } = await open()
    const guest = await guestOf(server)
    await guest.say('删除我的数据')
    await guest.say('确认删除')
    await server[Symbol.asyncDispose]()

    const { server: next } = await open()

    const again = callerOf(next.url, guest.headers)
    await vi.waitFor(async () => expect(await again.conversations()).toBe(0), { timeout: 30_000 })
    expect(await again.say('你好')).toContain('text-delta')
  })

  it('keeps the threads of an account, and says so', async () => {
    const { server } = await open()
    const ada = callerOf(server.url, bearer(server.token('ada')))
    await ada.say('记住我喜欢爬山')

    expect(await ada.say('删除我的数据')).toContain('对话不在其中')
    expect(await ada.say('确认删除')).toContain('都已永久删除')

    expect((await ada.send('GET', '/life/memories')).json['total']).toBe(0)
    expect(await ada.conversations()).toBe(1)
  })
})

describe('a guest’s threads', () => {
  it('are exported with all other data of the guest only', async () => {
    const { server } = await open()
    const [guest, other] = [await guestOf(server), await guestOf(server)]
    await guest.say('记住我喜欢爬山')
    await other.say('记住我喜欢游泳')

    const { json, text } = await guest.send('GET', '/life/export')

    expect(json['conversations']).toMatchObject({
      items: [
        {
          id: expect.stringMatching(/^conv_/) as string,
          messages: [
            { role: 'user', parts: [{ type: 'text', text: '记住我喜欢爬山' }] },
            { role: 'assistant' },
          ],
        },
      ],
    })
    expect(text).not.toContain('游泳')
  })

  it('are erased from the database by DELETE /life/everything', async () => {
    const { server } = await open()
    const [guest, other] = [await guestOf(server), await guestOf(server)]
    await guest.say('记住我喜欢攀登珠穆朗玛峰')
    await other.say('记住我喜欢游泳')

    const deleted = await guest.send('DELETE', '/life/everything')

    expect(deleted.json).toMatchObject({
      success: true,
      removed: { memories: 1, conversations: 1 },
      conversations: { delete: '/life/everything' },
    })
    expect(await guest.conversations()).toBe(0)
    expect(await other.conversations()).toBe(1)
    await server[Symbol.asyncDispose]()
    expect(await found(['攀登珠穆朗玛峰', '喜欢游泳'])).toEqual(['喜欢游泳'])
  })
})
