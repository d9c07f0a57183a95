import { describe, expect, it } from 'vitest'

import type { RunEvent } from '../../packages/dragoman/src/index.ts'
import { createRunWriter } from '../support/run-writer.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { builds, historyOf, openChat, textOf, type Sdk } from './sdk-chat.ts'

const usage = { inputTokens: 1, outputTokens: 1 }
const [thought, call, text] = ['run.1', 'run.2', 'run.3']
/** All that a run says after its first entry. */
const EVENTS: readonly RunEvent[] = [
  { type: 'step.started', model: 'scripted' },
  { type: 'reasoning.started', partId: thought },
  { type: 'reasoning.delta', partId: thought, delta: 'Hm.' },
  { type: 'reasoning.ended', partId: thought },
  { type: 'tool.started', callId: call, tool: 'weather' },
  { type: 'tool.delta', callId: call, delta: '{"city":"Oslo"}' },
  { type: 'tool.called', callId: call, tool: 'weather', input: { city: 'Oslo' } },
  { type: 'tool.executing', callId: call },
  { type: 'tool.returned', callId: call, output: { sky: 'rain' }, text: 'Rain.' },
  { type: 'step.finished', reason: 'tool-calls', usage },
  { type: 'step.started', model: 'scripted' },
  { type: 'text.started', partId: text },
  { type: 'text.delta', partId: text, delta: 'It ' },
  { type: 'text.delta', partId: text, delta: 'rains.' },
  { type: 'text.ended', partId: text },
  { type: 'step.finished', reason: 'stop', usage },
  { type: 'run.finished', reason: 'stop', usage },
]
const WHOLE = [
  { type: 'step-start' },
  { type: 'reasoning', text: 'Hm.', state: 'done' },
  { type: 'tool-weather', state: 'output-available', input: { city: 'Oslo' } },
  { type: 'step-start' },
  { type: 'text', text: 'It rains.', state: 'done' },
]

/** When the run goes on, for a page that has its history and has yet to ask for the rest. */
const MOMENTS = ['after it has come back', 'and ends before it comes back'] as const

describe.each(Object.entries(builds))('a page of the AI SDK client %s', (_build, load) => {
  it.each(MOMENTS)(
    'shows each word once when loaded at any entry of a run %s',
    async (moment) => {
      await using server = await openServer({ models: scriptedModel().models, isOnDisk: true })
      await using runs = await createRunWriter(server)
      const sdk = await load()
      for (let count = 0; count <= EVENTS.length; count++) {
        const id = `chat-${count}`
        const run = await runs.begin(id)
        await run.say(...EVENTS.slice(0, count))
        const rest = async (): Promise<unknown> => count === EVENTS.length || run.say(...EVENTS.slice(count))

        const { messages, live } = await historyOf(server.url, id)
        const page = openChat(sdk, { url: server.url, id, messages, resume: live?.resume })
        expect(page.messages.map(({ role }) => role)).toEqual(live ? ['user'] : ['user', 'assistant'])
        if (moment === 'and ends before it comes back') await rest()
        const resumed = live?.resume === undefined ? undefined : page.resumeStream()
        if (moment === 'after it has come back') await rest()
        await resumed

        expect(page.error, `loaded after ${count}`).toBeUndefined()
        expect(page.messages.map(textOf), `loaded after ${count}`).toEqual(['你好', 'It rains.'])
        expect(page.messages[1]?.parts, `loaded after ${count}`).toMatchObject(WHOLE)
        expect(page.messages[1]?.parts).toHaveLength(WHOLE.length)
        expect(page.messages[1]?.id).toBe(run.messageId)
      }
    },
    60_000,
  )

  it('shows a suspended answer once', async () => {
    await using server = await openServer({ models: scriptedModel().models, isOnDisk: true })
    await using runs = await createRunWriter(server)
    const run = await runs.begin('chat-1')
    const called = EVENTS.findIndex(({ type }) => type === 'tool.called') + 1
    await run.say(...EVENTS.slice(0, called))
    await run.say(
      { type: 'tool.asked', callId: call, question: { kind: 'output' } },
      { type: 'step.finished', reason: 'tool-calls', usage },
      { type: 'run.waiting', calls: [call] },
    )

    const { messages, live } = await historyOf(server.url, 'chat-1&profile=v5')
    const page = openChat(await load(), { url: server.url, id: 'chat-1', messages })
    await page.resumeStream()

    expect(live).toMatchObject({ messageId: run.messageId, status: 'waiting' })
    expect(live?.resume).toBeUndefined()
    expect(page.messages).toEqual(messages)
    expect(page.messages[1]?.parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'Hm.' },
      { type: 'tool-weather', state: 'input-available' },
      { type: 'data-question', data: { callId: call.replace(/^.*\./, 'run.'), state: 'open' } },
    ])
    expect(page.error).toBeUndefined()
  })
})

it('pages loaded at any moment of a run show each word once', async () => {
  await using server = await openServer({ models: scriptedModel().models, isOnDisk: true })
  await using runs = await createRunWriter(server)
  const sdk = (await import('ai-5-0-0')) as unknown as Sdk
  const loaded = async (id: string): Promise<string[]> => {
    const { messages, live } = await historyOf(server.url, id)
    const page = openChat(sdk, { url: server.url, id, messages, resume: live?.resume })
    if (live?.resume) await page.resumeStream()
    return page.messages.map(textOf)
  }
  const pages: Promise<string[]>[] = []
  for (let n = 0; n < 20; n++) {
    const run = await runs.begin(`chat-${n}`)
    for (const event of EVENTS) {
      pages.push(loaded(`chat-${n}`))
      await run.say(event)
    }
  }

  for (const page of await Promise.all(pages)) expect(page).toEqual(['你好', 'It rains.'])
}, 60_000)
