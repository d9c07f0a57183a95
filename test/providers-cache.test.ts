import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../packages/dragoman/src/index.ts'
import { client, chatRequest } from './support/http.ts'
import { openServer, type TestServer } from './support/server.ts'
import { wireModels, wireProvider, type WireProvider } from './support/wire-provider.ts'
import { wireWords, type WireWords } from './support/wire-words.ts'

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: async () => toolResult({ output: { seen: 1 }, text: 'One seen.' }),
})
const other = defineTool({
  ...look,
  name: 'other',
  execute: async () => toolResult({ output: null, text: '' }),
})

const hello = ({ begin, text, end }: WireWords) => ({ body: [...begin, ...text('Hello'), ...end] })

/** All places of a request's JSON that are marked. */
function marksIn(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  const own = 'cache_control' in value ? [`${at} ${JSON.stringify(value.cache_control)}`] : []
  return [...own, ...Object.entries(value).flatMap(([key, held]) => marksIn(held, `${at}/${key}`))]
}

const [claude, chat] = ['anthropic', 'chat'].map((api) => {
  const words = wireWords.find((each) => each.api === api)
  if (!words) throw new Error(`Nobody speaks ${api}.`)
  return words
}) as [WireWords, WireWords]

describe.each(['pi', 'default'])('prompt caching on the engine %s', (engine) => {
  let wire: WireProvider
  let server: TestServer
  beforeAll(async () => {
    wire = await wireProvider()
    const models = wireModels(wire.url, { first: 'anthropic', second: 'chat' })
    const model = { primary: 'first:one', fallback: 'second:two' }
    server = await openServer({ models, tools: [look, other], agent: { model, engine } })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await wire[Symbol.asyncDispose]()
  })
  /** Asks, and gives the whole log. */
  const say = async (): Promise<string> => {
    const http = client(server)
    const response = await http.post('/jobs/chat', chatRequest('look, please', { stream: false }))
    const run = response.headers.get('x-run-id')
    return (await http.get(`/v1/runs/${run}/events?protocol=native`)).text()
  }
  const bodies = (): unknown[] => wire.requests.map(({ body }) => JSON.parse(body) as unknown)

  it('marks the tools, the system prompt and the history for Claude', async () => {
    wire.play({ body: claude.thoughtAndCall }, hello(claude))

    await say()

    const mark = '{"type":"ephemeral"}'
    expect(bodies().map((body) => marksIn(body).toSorted())).toEqual([
      [`/messages/0/content/0 ${mark}`, `/system/0 ${mark}`, `/tools/1 ${mark}`],
      [`/messages/2/content/0 ${mark}`, `/system/0 ${mark}`, `/tools/1 ${mark}`],
    ])
  })

  it('sends no cache marks to a fallback of another provider', async () => {
    wire.play({ status: 503, body: ['{}'] }, hello(chat))

    expect(await say()).toContain('second:two')

    expect(bodies().map((body) => marksIn(body).length)).toEqual([3, 0])
    expect(wire.requests[1]?.body).not.toMatch(/cache_?control/i)
  })

  it('counts cached tokens as input tokens', async () => {
    const cacheUsage = '"cache_read_input_tokens":100,"cache_creation_input_tokens":20,"input_tokens"'
    const begin = claude.begin.map((piece) => piece.replace('"input_tokens"', cacheUsage))
    wire.play({ body: [...begin, ...claude.text('Hello'), ...claude.end] })

    const log = await say()

    expect(log).toContain('"inputTokens":127')
    expect(log).toContain('"cachedInputTokens":100')
  })
})
