import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import * as sdk from 'ai'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { historyOf, openChat, textOf, type ChatMessage } from '../../../../test/clients/sdk-chat.ts'
import { client } from '../../../../test/support/http.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { life } from '../../src/index.ts'

const CHAT = '/api/v1/chat/v5'

/** One conversation, from its page: opened anew after each restart, with what the server has of it. */
async function page(server: TestServer) {
  const { messages } = await historyOf(server.url, 'evening', CHAT)
  const chat = openChat(sdk, { url: server.url, at: `${CHAT}/stream`, id: 'evening', messages })
  return {
    messages,
    /** What comes of a message: its answer's tools with what they gave, and its words. */
    async say(text: string, form?: object): Promise<{ cards: readonly Card[]; words: string }> {
      await chat.sendMessage({ text }, { body: { ...(form && { form }) } })
      expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
      const answer = chat.messages.at(-1)
      return { cards: cardsOf(answer), words: textOf(answer) }
    },
  }
}

type Card = { readonly type: string; readonly output: unknown }

function cardsOf(message: ChatMessage | undefined): Card[] {
  return (message?.parts ?? []).flatMap((part) =>
    part.type.startsWith('tool-') && 'output' in part ? [{ type: part.type, output: part.output }] : [],
  )
}

const card = (tool: string, output: object) => ({
  type: `tool-${tool}`,
  output: expect.objectContaining(output),
})

const birth = { info_type: 'birth', birthDate: '1990-05-15', birthTime: '14:30', gender: 'male' }

const talks = {
  zh: {
    chart: '看看我的八字',
    place: '成都',
    done: '填好了',
    pillars: '庚午',
    save: '记住我喜欢爬山',
    kept: '我喜欢爬山',
    remember: '你记得我什么？',
    forget: '忘掉爬山那条',
    forgotten: '已经彻底忘掉：“我喜欢爬山”。',
    nothing: '还没有记住什么。',
  },
  en: {
    chart: 'show me my chart',
    place: 'Chengdu',
    done: 'I have filled it in',
    pillars: 'Geng-Wu',
    save: 'remember that I like hiking',
    kept: 'I like hiking',
    remember: 'what do you remember about me?',
    forget: 'forget that I like hiking',
    forgotten: 'Forgotten for good: “I like hiking”.',
    nothing: 'Nothing is remembered yet.',
  },
} as const

describe('a conversation with the life agent, without any model', () => {
  let home = ''
  const open = (): Promise<TestServer> =>
    openServer({ models: createModels({ env: {}, offlinePace: 0 }), agents: [life], home })
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'dragoman-test-'))
  })
  afterEach(() => rm(home, { recursive: true }))

  it.each(Object.entries(talks))(
    'asks for birth data by a form, shows the chart, outlives the server, remembers, and forgets: %s',
    async (_, texts) => {
      {
        await using server = await open()
        const { say } = await page(server)

        const question = await say(texts.chart)
        const answer = await say(texts.done, { ...birth, birthPlace: texts.place })
        const saved = await say(texts.save)

        expect(question.cards).toEqual([
          card('show_bazi_chart', { status: 'error', need_info: 'birth' }),
          card('request_info', { status: 'collecting', cardType: 'collect_form', infoType: 'birth' }),
        ])
        expect(answer.cards).toEqual([card('show_bazi_chart', { status: 'success', cardType: 'bazi_chart' })])
        expect(answer.words).toContain(texts.pillars)
        expect(saved.cards).toEqual([card('save_memory', { saved: true, summary: texts.kept })])
      }
      await using server = await open()
      const { messages, say } = await page(server)

      const again = await say(texts.chart)
      const listed = await say(texts.remember)
      const forgotten = await say(texts.forget)
      const last = await say(texts.remember)

      expect(messages).toHaveLength(6)
      expect(again.cards).toEqual([card('show_bazi_chart', { status: 'success' })])
      expect(again.words).toContain(texts.pillars)
      expect(listed.words).toContain(texts.kept)
      expect(forgotten.words).toContain(texts.forgotten)
      expect(last.words).toContain(texts.nothing)
      expect((await client(server).json('GET', '/life/memories')).body).toEqual({ memories: [], total: 0 })
    },
  )

  it.each([
    [
      `${CHAT}/stream`,
      { message: '你好', birth_info: { date: '1990-02-30', gender: '男' } },
      '出生日期：',
      'birth_info.date: there is no 1990-02-30 in the solar calendar.',
    ],
    ['/life/memories', { content: 'my password is hunter2' }, '密码不会被记下来', 'Passwords are never kept'],
  ])('refuses in the reader’s language at %s', async (path, body, zh, en) => {
    await using server = await open()
    const error = async (language: string) => {
      const response = await client(server).post(path, body, { 'accept-language': language })
      expect(response.status).toBe(400)
      return ((await response.json()) as { error: string }).error
    }

    expect(await error('zh-CN,zh;q=0.9')).toContain(zh)
    expect(await error('en')).toContain(en)
  })

  it('keeps nothing where memory is off, and says what it would export and has deleted', async () => {
    await using server = await open()
    const { json } = client(server)
    const { say } = await page(server)
    await say('记住我喜欢爬山')
    await json('PATCH', '/life/profile', { preferences: { memory: false } })

    const { cards } = await say('记住我养了一只猫')
    const exported = await json('GET', '/life/export')
    const deleted = await json('DELETE', '/life/everything')

    expect(cards).toEqual([card('save_memory', { status: 'error', saved: false })])
    expect(exported.body).toMatchObject({
      profile: { preferences: { memory: false } },
      memories: [{ content: '我喜欢爬山', from: { conversation: expect.stringMatching(/^conv_/) } }],
    })
    expect(deleted.body).toMatchObject({ success: true, removed: { memories: 1 } })
    expect((await json('GET', '/life/export')).body).toMatchObject({
      conversations: { export: '/v1/threads/:id/export' },
      profile: { preferences: { memory: true } },
      memories: [],
    })
  })
})
