import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'

import { createModels } from '../../../../packages/dragoman/src/models/index.ts'
import { warnsOfNothing } from '../../../../test/clients/ag-ui-agent.ts'
import { client } from '../../../../test/support/http.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { cardsIn, lifeClients, toolCards, type Card } from './life-clients.ts'
import { openCopilot } from '../../../../test/clients/copilot.ts'
import { historyOf } from '../../../../test/clients/sdk-chat.ts'
import { bundledAgents } from '../../src/main.ts'

const birth = {
  info_type: 'birth',
  birthDate: '1990-05-15',
  birthTime: '14:30',
  birthPlace: '成都',
  gender: 'male',
}
const kindsOf = (cards: readonly Card[]) => cards.map(({ cardType }) => cardType)

let server: TestServer
beforeAll(async () => {
  server = await openServer({ models: createModels({ env: {}, offlinePace: 0 }), agents: bundledAgents })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  await client(server).json('DELETE', '/life/everything')
})

warnsOfNothing()
afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each(Object.entries(lifeClients))('the life agent with %s', (name, open) => {
  /** What comes as a text alone has no kind. */
  const kinds = (...answering: string[]) =>
    answering.map((kind) => (name.startsWith('eve') ? undefined : kind))

  it('greets, requests a form, reads it, shows the chart, remembers and forgets', async () => {
    const page = await open(server.url, `talk, ${name}`)
    try {
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

      // A page that is loaded has the cards again, whoever has read them first.
      const { messages } = await historyOf(server.url, encodeURIComponent(`talk, ${name}`), '/life/chat')
      const cards = messages.flatMap(cardsIn)
      expect(kindsOf(cards.slice(0, 3))).toEqual(['need_info', 'collect_form', 'bazi_chart'])
      const { agent, core } = await openCopilot({
        url: server.url,
        way: 'rest',
        threadId: `talk, ${name}`,
        agentId: 'life',
      })
      await core.connectAgent({ agent })
      expect(agent.messages.flatMap(toolCards)).toEqual(cards)
    } finally {
      page.close?.()
    }
  })

  it('rejects an invalid form, names its field, and stores nothing', async () => {
    const page = await open(server.url, `refused, ${name}`)
    try {
      const answering = page.say('填好了', { ...birth, birthDate: '1990-02-31' })

      await expect(answering).rejects.toThrow('form.birthDate: there is no 1990-02-31')
      const { body } = await client(server).json('GET', '/life/profile')
      expect(body).not.toHaveProperty('profile.birth')
    } finally {
      page.close?.()
    }
  })
})
