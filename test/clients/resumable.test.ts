import * as fc from 'fast-check'
import { describe, it, vi } from 'vitest'

import { resumableFetch } from '../../packages/client/src/index.ts'
import { cutLine, type Cut } from '../support/cut-line.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step, thinks, type Script } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { builds, openChat, textOf, type Sdk } from './sdk-chat.ts'

// Chance may cut a chat before it has come any further, several times: each time it waits longer.
vi.setConfig({ testTimeout: 60_000 })

const story: Script = [
  step(
    thinks('Let me ', 'see… 看看.'),
    says('I look.'),
    calls('c1', 'weather', { city: 'Tromsø' }),
    calls('c2', 'teleport', { to: '火星' }),
  ),
  step(thinks('Rain.'), says('Es regnet, ', '下雨 ', '☔️☔️', ' here.')),
]
/** Where the lines of one chat are cut, in the order in which they are opened. */
const cuts = fc.noBias(
  fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 200, max: 1500 }) },
      { weight: 1, arbitrary: fc.integer({ min: -1, max: 200 }) },
    ),
    { minLength: 2, maxLength: 5 },
  ),
)
const anywhere = { numRuns: 3 }

/** The final answer in a chat of that build. Ids differ from run to run, so only their presence is compared. */
async function answered(sdk: Sdk, at: readonly Cut[], fetch?: typeof globalThis.fetch) {
  await using server = await openServer({ ...scriptedModel(story), tools: [weather] })
  await using line = await cutLine(server.url, at)
  const ends: object[] = []
  const chat = openChat(sdk, {
    url: line.url,
    id: 'chat-1',
    onFinish: (end) => ends.push({ ...end, message: undefined, messages: undefined }),
    ...(fetch && { fetch }),
  })
  await chat.sendMessage({ text: 'Go.' })
  const { status, error, messages } = chat
  return { status, error, messages: messages.slice(1).map(nameless), ends, lines: line.connections }
}

function nameless(message: object): unknown {
  return JSON.parse(JSON.stringify(message).replaceAll(/(run|msg|conv)_[\w-]{12}/g, '$1'))
}

describe.concurrent.each(Object.entries(builds))('a chat of the AI SDK client %s', (_, load) => {
  it('has one complete message wherever the connection breaks', async ({ expect }) => {
    const sdk = await load()
    const uncut = await answered(sdk, [])
    await fc.assert(
      fc.asyncProperty(cuts, async (at) => {
        const { lines, ...had } = await answered(sdk, at, resumableFetch())

        expect({ ...had, lines: 1 }).toEqual({ ...uncut, status: 'ready', error: undefined })
        expect(lines).toBeGreaterThan(1)
      }),
      anywhere,
    )
  })

  it('has half an answer and an error without the resuming fetch', async ({ expect }) => {
    const had = await answered(await load(), [700])

    expect(had.error).toBeInstanceOf(Error)
    expect(had.status).toBe('error')
  })

  it('has the whole answer after a restart of the server', async ({ expect }) => {
    const held = gate()
    await using runner = await openServer({
      ...scriptedModel([step(says('Es regnet', held, ' 下雨 here.'))]),
      isOnDisk: true,
    })
    // Another server on the same home: it goes, and the run that it tells of goes on.
    const options = { ...scriptedModel(), home: runner.home }
    await using line = await cutLine(runner.url)
    const busyStates: boolean[] = []
    const onConnection = (isConnected: boolean): number => busyStates.push(isConnected)
    const chat = openChat(await load(), {
      url: line.url,
      id: 'chat-1',
      fetch: resumableFetch({ onConnection }),
    })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('Es regnet')
    const before = await openServer(options)
    line.lead(before.url)
    line.cut()
    await expect.poll(() => busyStates).toEqual([false, true])

    line.lead(undefined)
    await before[Symbol.asyncDispose]()
    await expect.poll(() => busyStates.length).toBe(3)
    await using after = await openServer(options)
    held.open()
    line.lead(after.url)
    await sending

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(chat.messages).toHaveLength(2)
    expect(textOf(chat.messages[1])).toBe('Es regnet 下雨 here.')
    expect(busyStates).toEqual([false, true, false, true])
  })

  it('stops reconnecting at once when the user stops', async ({ expect }) => {
    const held = gate()
    await using server = await openServer(scriptedModel([step(says('Half', held, ' done.'))]))
    await using line = await cutLine(server.url)
    const lost = Promise.withResolvers<void>()
    const chat = openChat(await load(), {
      url: line.url,
      id: 'chat-1',
      fetch: resumableFetch({ onConnection: () => lost.resolve() }),
    })
    const sending = chat.sendMessage({ text: 'Go.' })
    await chat.shows('Half')
    line.lead(undefined)
    line.cut()
    await lost.promise

    await chat.stop()
    await sending

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(textOf(chat.messages[1])).toBe('Half')
    held.open()
  })

  it('follows the running answer of a reloaded page though the connection breaks', async ({ expect }) => {
    const held = gate()
    await using server = await openServer(scriptedModel([step(says('It rains', held, ' 下雨 here.'))]))
    await using line = await cutLine(server.url)
    const sdk = await load()
    const before = openChat(sdk, { url: server.url, id: 'chat-1' })
    const sending = before.sendMessage({ text: 'Go.' })
    await before.shows('It rains')
    await before.stop()
    await sending
    const messages = before.messages.slice(0, 1)
    const chat = openChat(sdk, { url: line.url, id: 'chat-1', messages, fetch: resumableFetch() })

    const resumed = chat.resumeStream()
    await chat.shows('It rains')
    line.cut()
    held.open()
    await resumed

    expect({ status: chat.status, error: chat.error }).toEqual({ status: 'ready', error: undefined })
    expect(chat.messages.map(textOf)).toEqual(['Go.', 'It rains 下雨 here.'])
  })
})
