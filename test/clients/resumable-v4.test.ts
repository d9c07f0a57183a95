import * as fc from 'fast-check'
import { expect, it, vi } from 'vitest'

import { resumableFetch } from '../../packages/client/src/index.ts'
import { cutLine, type Cut } from '../support/cut-line.ts'
import { gate } from '../support/gate.ts'
import { calls, says, scriptedModel, step, thinks } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { weather } from '../support/story-tools.ts'
import { openV4, v4User } from './sdk-v4.ts'

// Chance may cut a chat before it has come any further, several times: each time it waits longer.
vi.setConfig({ testTimeout: 60_000 })

const script = [
  step(thinks('看看 ', '火星.'), says('I look. '), calls('c1', 'weather', { city: 'Tromsø' })),
  step(says('Es regnet, ', '下雨 ☔️ ', 'here.')),
]

async function answered(at: readonly Cut[], fetch = globalThis.fetch) {
  await using server = await openServer({ ...scriptedModel(script), tools: [weather] })
  await using line = await cutLine(server.url, at)
  const chat = openV4({ api: `${line.url}/jobs/chat`, fetch })
  const { headers: _, ...had } = await chat.send('chat-1', [v4User('Go.')])
  return JSON.parse(
    JSON.stringify(had)
      .replaceAll(/(run|msg|conv)_[\w-]{12}/g, '$1')
      .replaceAll(/"createdAt":"[^"]*"/g, '"createdAt":""'),
  ) as object
}

it('the AI SDK client 4.3.19 has one complete message wherever the connection breaks', async () => {
  const uncut = await answered([])
  expect(uncut).toMatchObject({ message: { content: 'I look. Es regnet, 下雨 ☔️ here.' } })

  const cut = fc.integer({ min: 100, max: 1500 })
  await fc.assert(
    fc.asyncProperty(fc.noBias(fc.array(cut, { minLength: 1, maxLength: 5 })), async (at) => {
      expect(await answered(at, resumableFetch())).toEqual(uncut)
    }),
    { numRuns: 4 },
  )
  expect(await answered([700])).toMatchObject({ error: 'terminated' })
})

it('a reloaded page of 4.3.19 gets the running answer once though the connection breaks', async () => {
  const held = gate()
  const { models } = scriptedModel([step(says('It rains', held, ' 下雨 here.'))])
  await using server = await openServer({ models })
  await using line = await cutLine(server.url)
  const asking = openV4({ api: `${server.url}/jobs/chat` }).send('chat-1', [v4User('Go.')])
  await held.reached
  const onConnection = (): void => held.open()
  const chat = openV4({ api: `${line.url}/jobs/chat`, fetch: resumableFetch({ onConnection }) })
  const firstText = Promise.withResolvers<void>()

  const resuming = chat.resume('chat-1', [], ({ content }) => {
    if (content === 'It rains') firstText.resolve()
  })
  await firstText.promise
  line.cut()

  expect(await resuming).toMatchObject({ error: undefined, message: { content: 'It rains 下雨 here.' } })
  expect((await asking).message?.content).toBe('It rains 下雨 here.')
})
