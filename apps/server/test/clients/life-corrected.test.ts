import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { warnsOfNothing } from '../../../../test/clients/ag-ui-agent.ts'
import { lifeClients } from './life-clients.ts'
import { historyOf } from '../../../../test/clients/sdk-chat.ts'
import { bundledAgents } from '../../src/main.ts'

const birth = { birthDate: '1990-05-15', birthTime: '14:30', gender: 'male' }
const insight = { title: '看见', content: '你其实早就知道答案了。' }

const { models, prompts, play } = scriptedModel()
let server: TestServer
beforeAll(async () => {
  server = await openServer({ models, agents: bundledAgents })
  expect((await client(server).json('PUT', '/life/profile/birth', birth)).status).toBe(200)
})
afterAll(() => server[Symbol.asyncDispose]())

warnsOfNothing()
afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each(Object.entries(lifeClients))('the life agent with %s', (name, open) => {
  it('corrects a wrong statement about the chart in the client', async () => {
    play([step(says('你的日柱是甲子，')), step(says('更正：你的日柱是庚辰。')), step(says('好的。'))])
    const page = await open(server.url, `corrected, ${name}`)
    try {
      const { words } = await page.say('我的日柱是什么？')
      const next = await page.say('谢谢')

      expect(words).toMatch(/^你的日柱是甲子，[|\n]*更正：你的日柱是庚辰。$/)
      expect(next.words).toBe('好的。')
      expect(JSON.stringify(prompts[1])).toContain('日柱')
      const { messages } = await historyOf(server.url, encodeURIComponent(`corrected, ${name}`), '/life/chat')
      expect(messages[1]?.parts.map(({ type }) => type)).toEqual([
        'step-start',
        'text',
        'data-correction',
        'step-start',
        'text',
      ])
    } finally {
      page.close?.()
    }
  })

  it('answers at its step limit', async () => {
    const again = step(calls('c1', 'show_insight', insight))
    const script = [...Array.from({ length: 10 }, () => again), step(says('先到这里。'))]
    play(script)
    const page = await open(server.url, `last, ${name}`)
    try {
      const { words, cards } = await page.say('累')

      expect(words).toBe('先到这里。')
      expect(cards).toHaveLength(10)
      expect(prompts).toHaveLength(11)
    } finally {
      page.close?.()
    }
  })

  it('switches to a skill that the next run keeps', async () => {
    play([step(calls('c1', 'use_skill', { skills: ['bazi'] })), step(says('好。')), step(says('嗯。'))])
    const page = await open(server.url, `skill, ${name}`)
    try {
      const { cards } = await page.say('聊聊八字')
      await page.say('然后呢')

      // A skill is the agent's business: its page has the name.
      if (cards[0]?.['cardType']) expect(cards[0]).toMatchObject({ cardType: 'skill_switch', text: '八字' })
      expect(JSON.stringify(prompts[0])).toContain('None is in use.')
      expect(JSON.stringify(prompts[2])).toContain('In use: bazi.')
    } finally {
      page.close?.()
    }
  })
})
