import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { resumableFetch } from '../../../../packages/client/src/index.ts'
import { openCopilot } from '../../../../test/clients/copilot.ts'
import { allBuilds, historyOf, openChat, textOf } from '../../../../test/clients/sdk-chat.ts'
import { openV4, v4User } from '../../../../test/clients/sdk-v4.ts'
import { cutLine } from '../../../../test/support/cut-line.ts'
import { expectNoWarnings } from '../../../../test/support/expect-no-warnings.ts'
import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { useServer } from '../../../../test/support/use-server.ts'
import { bundledAgents } from '../../src/main.ts'
import { cardsIn, lifeClients, toolCards, type Card } from './life-clients.ts'

const birth = {
  info_type: 'birth',
  birthDate: '1990-05-15',
  birthTime: '14:30',
  birthPlace: '成都',
  gender: 'male',
}
const insight = { title: '看见', content: '你其实早就知道答案了。' }

const { models, prompts, play } = scriptedModel()
const agents = bundledAgents
const scripted = useServer({ models, agents })
const demo = useServer({ models: createModels({ env: {}, offlinePace: 0 }), agents })
const quotas = { rules: [{ user: 'local', period: 'daily', runs: 0 }] }
const withoutQuota = useServer({ models, agents, configFile: { quotas } })

expectNoWarnings()
afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each(Object.entries(lifeClients))('the life agent with %s', (name, open) => {
  const openPage = async (server: { readonly url: string }, conversation: string) => {
    const page = await open(server.url, conversation)
    onTestFinished(() => page.close?.())
    return page
  }
  /** A card without data has no kind. */
  const kinds = (...expected: string[]) => expected.map((kind) => (name.startsWith('eve') ? undefined : kind))

  it('greets, requests a form, reads it, shows the chart, remembers and forgets', async () => {
    await client(demo).json('DELETE', '/life/everything')
    const page = await openPage(demo, `talk, ${name}`)
    const greeted = await page.say('你好')
    const question = await page.say('看看我的八字')
    const answer = await page.say('填好了', birth)
    const saved = await page.say('记住我喜欢爬山')
    const listed = await page.say('你记得我什么？')
    const forgotten = await page.say('忘掉爬山那条')
    const memories = await page.say('你记得我什么？')

    expect(greeted.words).toContain('演示模型')
    expect(kindsOf(question.cards)).toEqual(kinds('need_info', 'collect_form'))
    expect(kindsOf(answer.cards)).toEqual(kinds('bazi_chart'))
    for (const pillar of ['庚午', '辛巳', '庚辰', '癸未']) {
      expect(answer.words).toContain(pillar)
      expect(answer.cards[0]?.['text']).toContain(pillar)
    }
    expect(kindsOf(saved.cards)).toEqual(kinds('memory_saved'))
    expect(listed.words).toContain('我喜欢爬山')
    expect(forgotten.words).toContain('已经彻底忘掉')
    expect(memories.words).toContain('还没有记住什么。')

    // A page that loads the conversation has the cards again, in any client.
    const { messages } = await historyOf(demo.url, encodeURIComponent(`talk, ${name}`), '/life/chat')
    const cards = messages.flatMap(cardsIn)
    expect(kindsOf(cards.slice(0, 3))).toEqual(['need_info', 'collect_form', 'bazi_chart'])
    const threadId = `talk, ${name}`
    const { agent, core } = await openCopilot({ url: demo.url, way: 'rest', threadId, agentId: 'life' })
    await core.connectAgent({ agent })
    expect(agent.messages.flatMap(toolCards)).toEqual(cards)
  })

  it('rejects an invalid form, names its field, and stores nothing', async () => {
    await client(demo).json('DELETE', '/life/everything')
    const page = await openPage(demo, `refused, ${name}`)

    await expect(page.say('填好了', { ...birth, birthDate: '1990-02-31' })).rejects.toThrow(
      'form.birthDate: there is no 1990-02-31',
    )
    const { body } = await client(demo).json('GET', '/life/profile')
    expect(body).not.toHaveProperty('profile.birth')
  })

  it('corrects a wrong statement about the chart in the client', async () => {
    const { info_type: _, birthPlace: __, ...profile } = birth
    expect((await client(scripted).json('PUT', '/life/profile/birth', profile)).status).toBe(200)
    play([step(says('你的日柱是甲子，')), step(says('更正：你的日柱是庚辰。')), step(says('好的。'))])
    const page = await openPage(scripted, `corrected, ${name}`)
    const { words } = await page.say('我的日柱是什么？')
    const next = await page.say('谢谢')

    expect(words).toMatch(/^你的日柱是甲子，[|\n]*更正：你的日柱是庚辰。$/)
    expect(next.words).toBe('好的。')
    expect(JSON.stringify(prompts[1])).toContain('日柱')
    const id = encodeURIComponent(`corrected, ${name}`)
    const { messages } = await historyOf(scripted.url, id, '/life/chat')
    const types = messages[1]?.parts.map(({ type }) => type)
    expect(types).toEqual(['step-start', 'text', 'data-correction', 'step-start', 'text'])
  })

  it('answers at its step limit', async () => {
    const again = step(calls('c1', 'show_insight', insight))
    play([...Array.from({ length: 10 }, () => again), step(says('先到这里。'))])
    const { words, cards } = await (await openPage(scripted, `last, ${name}`)).say('累')

    expect(words).toBe('先到这里。')
    expect(cards).toHaveLength(10)
    expect(prompts).toHaveLength(11)
  })

  it('switches to a skill that the next run keeps', async () => {
    play([step(calls('c1', 'use_skill', { skills: ['bazi'] })), step(says('好。')), step(says('嗯。'))])
    const page = await openPage(scripted, `skill, ${name}`)
    const { cards } = await page.say('聊聊八字')
    await page.say('然后呢')

    // A page that draws no skill has its name as the text of the card.
    if (cards[0]?.['cardType']) expect(cards[0]).toMatchObject({ cardType: 'skill_switch', text: '八字' })
    expect(JSON.stringify(prompts[0])).toContain('None is in use.')
    expect(JSON.stringify(prompts[2])).toContain('In use: bazi.')
  })

  it('keeps its card and its text after a stop, and continues', async () => {
    const hold = playHalf(step(says('好的。')))
    const page = await openPage(scripted, `stopped, ${name}`)
    // Some clients report a stop as an error.
    const answering = page.say('累').catch((error: unknown) => error)
    await hold.reached
    const conversationId = `stopped, ${name}`
    const stopped = await client(scripted).json('POST', '/life/chat/stop', { conversationId })
    await answering
    const next = await page.say('继续')

    expect(stopped.body).toEqual({ stopped: true })
    expect(next.words).toBe('好的。')
    const { messages } = await historyOf(scripted.url, encodeURIComponent(conversationId), '/life/chat')
    expect(messages).toHaveLength(4)
    expect(cardsIn(messages[1])).toMatchObject([{ cardType: 'insight_card' }])
    expect(textOf(messages[1])).toBe('慢慢')
    expect(messages[1]?.metadata).toMatchObject({ stopped: true })
  })

  it('shows an exhausted quota and its reset time before any run', async () => {
    play([])
    const page = await openPage(withoutQuota, `quota, ${name}`)
    await expect(page.say('你好')).rejects.toThrow(
      /You have used all that you have for today: 0 messages\. There is more from \d{4}-\d{2}-\d{2}/,
    )
    expect(prompts).toEqual([])
    const { body } = await client(withoutQuota).json('GET', '/life/chat/conversations')
    expect(JSON.stringify(body)).not.toContain('你好')
  })

  it('answers a message that mentions self-harm without quota and without a model', async () => {
    play([])
    const page = await openPage(withoutQuota, `${name} in danger`)
    const { words } = await page.say('我真的不想活了，今晚就想结束')

    expect(words).toContain('12356')
    expect(words).toContain('你不必一个人扛')
    expect(prompts).toEqual([])
  })
})

const CHAT = '/api/v1/chat/v5'
describe.each([`${CHAT}/stream`, `${CHAT}/guest/stream`, '/life/chat'])(
  'an answer at %s after a broken connection',
  (at) => {
    it.each(['5.0.277', '6.0.326', '7.0.173'])('continues in the AI SDK client %s', async (build) => {
      const sdk = await allBuilds[build]?.()
      if (!sdk) throw new Error(`There is no build ${build}.`)
      const hold = playHalf()
      await using line = await cutLine(scripted.url)
      const chat = openChat(sdk, { url: line.url, at, id: `${build} ${at}`, fetch: resumableFetch() })
      const sending = chat.sendMessage({ text: '累' })
      await chat.shows('慢慢')

      line.cut()
      hold.open()
      await sending

      expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
      expect(chat.messages).toHaveLength(2)
      expect(cardsIn(chat.messages[1])).toMatchObject([{ cardType: 'insight_card' }])
      expect(textOf(chat.messages[1])).toBe('慢慢说。')
    })

    it('continues in the AI SDK client 4.3.19', async () => {
      const hold = playHalf()
      await using line = await cutLine(scripted.url)
      const chat = openV4({ api: `${line.url}${at}`, fetch: resumableFetch() })
      const half = Promise.withResolvers<void>()
      const sending = chat.send(`4.3.19 ${at.replaceAll('/', '-')}`, [v4User('累')], ({ content }) => {
        if (content === '慢慢') half.resolve()
      })
      await half.promise

      line.cut()
      hold.open()

      const { message, error } = await sending
      expect(error).toBeUndefined()
      expect(message?.content).toBe('慢慢说。')
      expect(message?.toolInvocations).toMatchObject([{ result: { cardType: 'insight_card' } }])
    })
  },
)

function kindsOf(cards: readonly Card[]) {
  return cards.map(({ cardType }) => cardType)
}

/** Plays a card and a text that waits at the gate in its middle. */
function playHalf(...more: ReturnType<typeof step>[]) {
  const hold = gate()
  play([step(calls('c1', 'show_insight', insight)), step(says('慢慢', hold, '说。')), ...more])
  return hold
}
