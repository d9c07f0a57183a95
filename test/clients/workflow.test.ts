import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { eventsOf, framesOf, reading } from '../support/event-stream.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step, thinks, type ScriptedModel } from '../support/scripted-model.ts'
import { openServer, type TestServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import type { ChatMessage } from './sdk-chat.ts'
import { sendMessages } from './workflow-transport.ts'

const asks: ChatMessage = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }

describe('a client that counts chunks', () => {
  let model: ScriptedModel
  let server: TestServer
  let api: string
  beforeEach(async () => {
    model = scriptedModel([
      step(thinks('Hm', '…'), calls('c1', 'weather', { city: 'Oslo' })),
      step(says('It ', 'rains ', '下雨', '.')),
    ])
    server = await openServer({ models: model.models, tools: [weather] })
    api = `${server.url}/jobs/chat`
  })
  afterEach(() => server[Symbol.asyncDispose]())

  const answered = async (): Promise<string> => {
    const response = await fetch(api, { method: 'POST', body: JSON.stringify({ messages: [asks] }) })
    await response.text()
    return String(response.headers.get('x-workflow-run-id'))
  }
  const from = (name: string, startIndex: number | string): Promise<Response> =>
    fetch(`${api}/${name}/stream?startIndex=${startIndex}`)

  it.each([1, 2, 3, 5, 1000])(
    'has the whole message once, with %i chunks per request',
    async (chunksEach) => {
      const { message, asked } = await sendMessages({ api, chunksEach }, [asks])

      expect(message?.parts).toMatchObject([
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm…', state: 'done' },
        { type: 'tool-weather', state: 'output-available', input: { city: 'Oslo' } },
        { type: 'step-start' },
        { type: 'text', text: 'It rains 下雨.', state: 'done' },
      ])
      const chunks = asked.reduce((sum, each) => sum + each.chunks, 0)
      expect(asked).toHaveLength(Math.ceil(chunks / chunksEach))
      expect(model.prompts).toHaveLength(2)
    },
  )

  it('gets exactly the chunks from any index, and the index of the last one', async () => {
    const run = await answered()
    const all = framesOf(await reading(await from(run, 0)).whole())

    for (let index = -all.length - 2; index < all.length; index++) {
      const response = await from(run, index)
      const start = index < 0 ? Math.max(0, all.length + index) : index
      expect(response.headers.get('x-workflow-stream-tail-index')).toBe(String(all.length - 1))
      const bytes = await reading(response).whole()
      expect(framesOf(bytes)).toEqual(all.slice(start))
      expect(eventsOf(bytes).at(-1)?.data).toBe('[DONE]')
    }
    expect((await from(run, all.length)).status).toBe(204)
    expect(await (await from(run, all.length + 1)).json()).toMatchObject({
      code: 'cursor-ahead',
      last: all.length - 1,
    })
    expect(await (await from(run, '1.5')).json()).toMatchObject({ code: 'invalid-request' })
  })

  it('counts only sent chunks: there are fewer without reasoning', async () => {
    const run = await answered()
    const hidden = `0&showThinking=false`
    const frames = framesOf(await reading(await from(run, hidden)).whole())

    const rest = framesOf(await reading(await from(run, `4&showThinking=false`)).whole())

    expect(JSON.stringify(frames)).not.toContain('reasoning')
    expect(rest).toEqual(frames.slice(4))
  })

  it('follows a running answer from its start or its tail', async () => {
    const held = gate()
    model.play([step(says('Half', held, ' done.'))])
    const body = { id: 'chat-1', messages: [asks] }
    const first = await fetch(api, { method: 'POST', body: JSON.stringify(body) })
    const along = reading(first)
    const soFar = framesOf(await along.until('Half'))

    const tails = await Promise.all([from('chat-1', 0), from('chat-1', -1), from('chat-1', soFar.length)])
    held.open()

    const all = framesOf(await along.whole())
    const came = await Promise.all(tails.map(async (each) => framesOf(await reading(each).whole())))
    expect(came).toEqual([all, all.slice(soFar.length - 1), all.slice(soFar.length)])
    expect(tails[1]?.headers.get('x-workflow-stream-tail-index')).toBe(String(soFar.length - 1))
  })

  it.each([0, -5])('accepts an ended run from index %i', async (index) => {
    const body = { id: 'chat-1', messages: [asks] }
    await (await fetch(api, { method: 'POST', body: JSON.stringify(body) })).text()

    for (const name of ['chat-1', 'never-heard-of']) {
      const response = await from(name, index)
      expect(response.status).toBe(200)
      expect(framesOf(await reading(response).whole())).toEqual([{ type: 'finish' }])
    }
    expect((await fetch(`${api}/chat-1/stream`)).status).toBe(204)
  })
})
