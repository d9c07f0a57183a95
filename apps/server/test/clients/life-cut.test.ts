import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { resumableFetch } from '../../../../packages/client/src/index.ts'
import { cutLine } from '../../../../test/support/cut-line.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calls, says, scriptedModel, step } from '../../../../test/support/scripted-model.ts'
import { openServer, type TestServer } from '../../../../test/support/server.ts'
import { warnsOfNothing } from '../../../../test/clients/ag-ui-agent.ts'
import { cardsIn } from './life-clients.ts'
import { allBuilds, openChat, textOf } from '../../../../test/clients/sdk-chat.ts'
import { openV4, v4User } from '../../../../test/clients/sdk-v4.ts'
import { bundledAgents } from '../../src/main.ts'

const CHAT = '/api/v1/chat/v5'
const insight = { title: '看见', content: '你其实早就知道答案了。' }
const ANSWER = '慢慢说。'

const { models, play } = scriptedModel()
let server: TestServer
beforeAll(async () => {
  server = await openServer({ models, agents: bundledAgents })
})
afterAll(() => server[Symbol.asyncDispose]())
warnsOfNothing()

/** A card, and words that wait at the gate in their midst. */
function halfSaid() {
  const hold = gate()
  play([step(calls('c1', 'show_insight', insight)), step(says('慢慢', hold, '说。'))])
  return hold
}

describe.each([`${CHAT}/stream`, `${CHAT}/guest/stream`, '/life/chat'])(
  'an answer at %s after a broken connection',
  (at) => {
    it.each(['5.0.277', '6.0.326', '7.0.173'])('continues in the AI SDK client %s', async (build) => {
      const sdk = await allBuilds[build]?.()
      if (!sdk) throw new Error(`There is no build ${build}.`)
      const hold = halfSaid()
      await using line = await cutLine(server.url)
      const chat = openChat(sdk, { url: line.url, at, id: `${build} ${at}`, fetch: resumableFetch() })
      const sending = chat.sendMessage({ text: '累' })
      await chat.shows('慢慢')

      line.cut()
      hold.open()
      await sending

      expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
      expect(chat.messages).toHaveLength(2)
      expect(cardsIn(chat.messages[1])).toMatchObject([{ cardType: 'insight_card' }])
      expect(textOf(chat.messages[1])).toBe(ANSWER)
    })

    it('continues in the AI SDK client 4.3.19, also after a reload', async () => {
      const hold = halfSaid()
      await using line = await cutLine(server.url)
      const id = `4.3.19 ${at.replaceAll('/', '-')}`
      const chat = openV4({ api: `${line.url}${at}`, fetch: resumableFetch() })
      const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
      const look =
        (which: 0 | 1) =>
        ({ content }: { content: string }) =>
          content === '慢慢' && arrivals[which].resolve()
      const sending = chat.send(id, [v4User('累')], look(0))
      await arrivals[0].promise
      const loaded = chat.resume(id, [v4User('累')], look(1))
      await arrivals[1].promise

      line.cut()
      hold.open()

      for (const { message, error } of await Promise.all([sending, loaded])) {
        expect(error).toBeUndefined()
        expect(message?.content).toBe(ANSWER)
        expect(message?.toolInvocations).toMatchObject([{ result: { cardType: 'insight_card' } }])
      }
    })
  },
)
