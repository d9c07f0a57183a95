import { tool as aiSdkTool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../../packages/dragoman/src/index.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { gate } from '../support/gate.ts'
import { callOf, post } from './questions.ts'
import { builds, historyOf, openChat } from './sdk-chat.ts'

const inputSchema = z.object({})
const description = 'Walks.'
const large = 'a'.repeat(20_000)

const newest = async () =>
  builds['7.0.173']?.() ?? Promise.reject(new Error('The newest build is not tested.'))

it.each(['own', 'foreign'])('shows preliminary outputs of a tool that yields them: %s', async (kind) => {
  const firstLook = gate()
  async function* walk() {
    yield { at: 1, large }
    await firstLook.pass()
    yield { at: 2, large }
  }
  const tools =
    kind === 'own'
      ? [defineTool({ name: 'walk', description, inputSchema, execute: () => walk() })]
      : { walk: aiSdkTool({ description, inputSchema, execute: () => walk() }) }
  const { models, prompts } = scriptedModel([step(calls('c1', 'walk', {})), step(says('Done.'))])
  await using server = await openServer({ models, tools })
  const chat = openChat(await newest(), { url: server.url, id: 'chat-1' })
  const answer = chat.sendMessage({ text: 'Go.' })
  await chat.shows('"at":1')
  expect(callOf(chat, 'walk')).toMatchObject({
    state: 'output-available',
    preliminary: true,
    output: { at: 1, large },
  })
  firstLook.open()
  await answer

  expect(chat.error).toBeUndefined()
  expect(callOf(chat, 'walk')).toMatchObject({ state: 'output-available', output: { at: 2, large } })
  expect(callOf(chat, 'walk')['preliminary']).not.toBe(true)
  expect(callOf(await historyOf(server.url, 'chat-1'), 'walk')).toMatchObject({ output: { at: 2, large } })
  expect(JSON.stringify(prompts[1])).not.toContain('"at":1')
})

it('writes the data parts of a tool into the answer', async () => {
  const chart = defineTool({
    name: 'chart',
    description,
    inputSchema,
    execute: (_, { data }) => {
      data('chart', { points: [1] }, { id: 'c' })
      data('chart', { points: [1, 2] }, { id: 'c' })
      data('note', 'Drawn.', { transient: true })
      return 'drawn'
    },
  })
  const { models, prompts } = scriptedModel([step(calls('c1', 'chart', {})), step(says('Done.'))])
  await using server = await openServer({ models, tools: [chart] })
  const chat = openChat(await newest(), { url: server.url, id: 'chat-1' })
  await chat.sendMessage({ text: 'Go.' })

  const cards = [{ type: 'data-chart', id: 'c', data: { points: [1, 2] } }]
  const dataOf = (messages: typeof chat.messages) =>
    messages.at(-1)?.parts.filter(({ type }) => type.startsWith('data-'))
  expect(dataOf(chat.messages)).toEqual(cards)
  expect(dataOf((await historyOf(server.url, 'chat-1')).messages)).toEqual(cards)
  expect(JSON.stringify(prompts[1])).not.toContain('points')
})

it.each(['a b', '', 'x'.repeat(65)])('fails a tool that writes data under the name "%s"', async (name) => {
  const chart = defineTool({
    name: 'chart',
    description,
    inputSchema,
    execute: (_, { data }) => data(name, 1),
  })
  const { models } = scriptedModel([step(calls('c1', 'chart', {})), step(says('Done.'))])
  await using server = await openServer({ models, tools: [chart] })
  const chat = openChat(await newest(), { url: server.url, id: 'chat-1' })
  await chat.sendMessage({ text: 'Go.' })

  expect(callOf(chat, 'chart')).toMatchObject({
    state: 'output-error',
    errorText: expect.stringContaining('The name of a data part has 1 to 64 letters'),
  })
})

it.each(Object.entries(builds))(
  'tells a page of %s in a sentence why it was refused',
  async (_build, load) => {
    await using server = await openServer({ models: scriptedModel().models })
    const sdk = await load()
    const errorOf = async (at: string, text = 'Go.', body = {}): Promise<string | undefined> => {
      const chat = openChat(sdk, { url: server.url, id: 'chat-1', at, body })
      await chat.sendMessage({ text })
      return chat.error?.message
    }

    expect(await errorOf('/nobody/chat')).toBe('There is no POST /nobody/chat here.')
    expect(await errorOf('/jobs/chat', 'Go.', { tools: 5 })).toMatch(/^tools\S* .*[^}]$/)
  },
)

it('tells programs the code of an error', async () => {
  await using server = await openServer({ models: scriptedModel().models })
  const messages = [{ role: 'user', parts: [] }]
  const trigger = 'submit-message'
  const asJson = { error: expect.any(String), code: 'invalid-request' }

  expect(await (await post(server, '/jobs/chat', { messages })).json()).toEqual(asJson)
  const whole = { messages, trigger, options: { stream: false } }
  expect(await (await post(server, '/jobs/chat', whole)).json()).toEqual(asJson)
  const response = await fetch(`${server.url}/jobs/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ messages, trigger }),
  })
  expect(await response.json()).toEqual(asJson)
})
