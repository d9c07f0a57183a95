import { tool as aiSdkTool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../../packages/dragoman/src/index.ts'
import { calls, says, scriptedModel, step } from '../support/scripted-model.ts'
import { openServer } from '../support/server.ts'
import { callOf } from './questions.ts'
import { builds, historyOf, openChat, type ChatMessage } from './sdk-chat.ts'

const inputSchema = z.object({})
const description = 'Gives a value.'
const outputs: readonly (readonly [string, unknown])[] = [
  ['an object', { city: 'Oslo', celsius: 21, text: 'Mild.' }],
  ['an array', [1, [2], { three: 3 }]],
  ['a number', 0],
  ['a boolean', false],
  ['a text', '多云'],
  ['an empty text', ''],
  ['null', null],
  ['nothing', undefined],
]
const tools = outputs.flatMap(([, output], index) => [
  defineTool({ name: `own${index}`, description, inputSchema, execute: () => output }),
  defineTool({
    name: `worded${index}`,
    description,
    inputSchema,
    execute: () => toolResult({ output, text: 'Words for the model.' }),
  }),
])
const foreign = Object.fromEntries(
  outputs.map(([, output], index) => [
    `foreign${index}`,
    aiSdkTool({ description, inputSchema, execute: async () => output }),
  ]),
)
const agents = [
  { name: 'own', tools },
  { name: 'worded', tools },
  { name: 'foreign', tools: foreign },
]

describe.each(agents)('the outputs of the $name tools', ({ name, tools: all }) => {
  const script = [
    step(...outputs.map((_, index) => calls(`c${index}`, `${name}${index}`, {}))),
    step(says('Done.')),
  ]
  const check = (message: ChatMessage | undefined): void => {
    outputs.forEach(([, output], index) => {
      const call = callOf({ messages: message ? [message] : [] }, `${name}${index}`)
      expect(call).toMatchObject({ state: 'output-available' })
      // Clients refuse a call without output.
      expect(call['output']).toStrictEqual(output ?? null)
    })
  }

  it.each(Object.entries(builds))('reach the client %s as they were returned', async (_build, load) => {
    const { models, play } = scriptedModel(script)
    await using server = await openServer({ models, tools: all })
    const chat = openChat(await load(), { url: server.url, id: 'outputs' })
    await chat.sendMessage({ text: 'Go.' })
    check(chat.messages.at(-1))
    check((await historyOf(server.url, 'outputs')).messages.at(-1))

    play(script)
    const messages = [{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Go.' }] }]
    const whole = await fetch(`${server.url}/jobs/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ messages, options: { stream: false } }),
    })
    check((await whole.json()) as ChatMessage)
  })
})
