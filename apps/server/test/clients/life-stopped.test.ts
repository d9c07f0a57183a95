import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'

import { gate } from '../../../../test/support/gate.ts'
import { client } from '../../../../test/support/http.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { warnsOfNothing } from '../../../../test/clients/ag-ui-agent.ts'
import { cardsIn, lifeClients } from './life-clients.ts'
import { historyOf, textOf } from '../../../../test/clients/sdk-chat.ts'
import { bundledAgents } from '../../src/main.ts'

const insight = { title: '看见', content: '你其实早就知道答案了。' }
const { models, play } = scriptedModel()
let server: TestServer
beforeAll(async () => {
  server = await openServer({ models, agents: bundledAgents })
})
afterAll(() => server[Symbol.asyncDispose]())

warnsOfNothing()
afterEach(() => {
  vi.unstubAllGlobals()
})

describe.each(Object.entries(lifeClients))('an answer of the life agent to %s', (name, open) => {
  it('keeps its card and its text after a stop, and continues', async () => {
    const hold = gate()
    play([step(calls('c1', 'show_insight', insight)), step(says('慢慢', hold, '说。')), step(says('好的。'))])
    const page = await open(server.url, name)
    try {
      // Some of them take a stop for an error.
      const answering = page.say('累').catch((error: unknown) => error)
      await hold.reached
      const stopped = await client(server).json('POST', '/life/chat/stop', { conversationId: name })
      await answering
      const next = await page.say('继续')

      expect(stopped.body).toEqual({ stopped: true })
      expect(next.words).toBe('好的。')
      const { messages } = await historyOf(server.url, encodeURIComponent(name), '/life/chat')
      expect(messages).toHaveLength(4)
      expect(cardsIn(messages[1])).toMatchObject([{ cardType: 'insight_card' }])
      expect(textOf(messages[1])).toBe('慢慢')
      expect(messages[1]?.metadata).toMatchObject({ stopped: true })
    } finally {
      page.close?.()
    }
  })
})
