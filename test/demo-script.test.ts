import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type AgentModule, type DemoScript } from '../packages/dragoman/src/index.ts'
import { createModels } from '../packages/dragoman/src/models/index.ts'
import { client } from './support/http.ts'
import { openServer, type TestServer } from './support/server.ts'

const roll = defineTool({
  name: 'roll',
  description: 'Rolls one die and gives the number.',
  inputSchema: z.object({ sides: z.int().min(2) }),
  execute: ({ sides }) => sides,
})

const script: DemoScript = [
  {
    example: { en: 'Roll a die with 6 sides', zh: '掷一个 6 面的骰子' },
    when: /(?:roll|掷)\D*(\d+)/i,
    call: 'roll',
    input: ([, sides]) => ({ sides: Number(sides) }),
    say: { en: 'You rolled {text}.', zh: '掷出了 {text}。' },
  },
]

let server: TestServer | undefined
afterEach(async () => {
  await server?.[Symbol.asyncDispose]()
  server = undefined
})

/** What an agent of one's own answers where no model is configured. */
async function answerTo(message: string, engine: string, capability: Partial<AgentModule>) {
  const models = createModels({ env: {}, offlinePace: 0 })
  const agent = { id: 'dice', engine, model: { primary: 'sonnet', fallback: 'haiku' } }
  server ??= await openServer({ models, tools: [roll], agent, capability })
  const http = client(server)
  const { body: thread } = await http.json('POST', '/v1/threads', { agent: 'dice' })
  const { body } = await http.json('POST', `/v1/threads/${String(thread['id'])}/runs`, {
    message,
    stream: false,
  })
  const { parts } = body['message'] as { parts: { type: string; tool?: string; text?: string }[] }
  return {
    tools: parts.flatMap(({ type, tool }) => (type === 'tool' ? [tool] : [])),
    text: parts.flatMap(({ type, text }) => (type === 'text' ? [text] : [])).join(''),
  }
}

describe.each(['pi', 'ai-sdk'])('an agent without a model on the engine %s', (engine) => {
  it('answers by its demo script with its own tool', async () => {
    const english = await answerTo('Roll a die with 6 sides', engine, { demo: script })
    const chinese = await answerTo('掷一个 20 面的骰子', engine, { demo: script })

    expect(english).toEqual({
      tools: ['roll'],
      text: expect.stringMatching(/^You rolled 6\.\n\nI am dragoman's/),
    })
    expect(chinese).toEqual({ tools: ['roll'], text: expect.stringMatching(/^掷出了 20。\n\n/) })
  })
})
