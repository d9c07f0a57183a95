import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openServer, type TestServer } from '../../../test/support/server.ts'
import {
  checkEvents,
  socketClient,
  textIn,
  type AgUiEvent,
  type runAgent,
} from '../../../test/support/socket-client.ts'
import {
  events,
  wireModels,
  wireProvider,
  type Reply,
  type WireProvider,
} from '../../../test/support/wire-provider.ts'
import { wireWords } from '../../../test/support/wire-words.ts'
import { bundledAgents } from '../src/main.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const PDF = 'JVBERi0xLjQKJSVFT0Y='

/** What Claude is asked, as far as it is looked at here. */
type Request = {
  readonly max_tokens: number
  readonly system: unknown
  readonly messages: readonly unknown[]
  readonly tools: readonly { readonly name: string }[]
}

describe('a use-ai page with Claude', () => {
  const claude = wireWords.find(({ api }) => api === 'anthropic')
  if (!claude) throw new Error('Nobody speaks as Claude does.')
  const hello: Reply = { body: [...claude.begin, ...claude.text('Hello'), ...claude.end] }
  const thinks: Reply = { body: claude.thoughtAndCall }
  const refuses = (status: number): Reply => ({ status, body: ['{"error":{"message":"no"}}'] })
  const overloaded = events({ type: 'error', error: { type: 'overloaded_error', message: 'no' } } as object)

  let wire: WireProvider
  let server: TestServer
  beforeAll(async () => {
    wire = await wireProvider()
    const models = wireModels(wire.url, { wire: 'anthropic' }, { override: 'wire:claude' })
    server = await openServer({ models, agents: bundledAgents })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await wire[Symbol.asyncDispose]()
  })

  let runs = 0
  const say = async (
    replies: readonly Reply[],
    more: Parameters<typeof runAgent>[3] = {},
  ): Promise<AgUiEvent[]> => {
    wire.play(...replies)
    using page = socketClient(server.url)
    const id = `run-${++runs}`
    await page.run(`thread-${runs}`, id, 'Hello', more)
    return page.of(id)
  }
  const requests = (): Request[] => wire.requests.map(({ body }) => JSON.parse(body) as Request)

  it.each([
    ['is overloaded', refuses(529), 'API_OVERLOADED'],
    ['says so within its answer', { body: [...claude.begin, ...overloaded] }, 'API_OVERLOADED'],
    ['has no place for it just now', refuses(503), 'API_OVERLOADED'],
    ['limits its callers', refuses(429), 'RATE_LIMITED'],
    ['fails', refuses(500), 'UNKNOWN_ERROR'],
    ['refuses the key', refuses(401), 'UNKNOWN_ERROR'],
  ])('gets an error code when Claude %s', async (_what, reply, word) => {
    const frames = await say([reply])

    expect(frames.at(-1)).toMatchObject({ type: 'RUN_ERROR', message: word, error: word })
    checkEvents(frames)
  })

  it('limits Claude to 4096 tokens per step, ten steps and a final answer', async () => {
    const frames = await say(Array.from({ length: 12 }, () => thinks))

    expect(requests().map(({ max_tokens: most }) => most)).toEqual(Array.from({ length: 11 }, () => 4096))
    expect(JSON.stringify(requests().at(-1)?.messages.at(-1))).toContain('You have used up your steps.')
    expect(frames.filter(({ type }) => type === 'STEP_FINISHED')).toHaveLength(11)
    expect(frames.at(-1)?.type).toBe('RUN_FINISHED')
  })

  it('sends its state, its context and its tools to Claude', async () => {
    const frames = await say([hello], {
      state: { context: 'todos: []' },
      context: [{ description: 'The open form', value: 'Invoice 17' }],
      tools: [{ name: 'addTodo', description: 'Adds a todo', parameters: { type: 'object' } }],
    })

    expect(textIn(frames)).toBe('Hello')
    const [asked] = requests()
    expect(JSON.stringify(asked?.system)).toContain('todos: []')
    expect(JSON.stringify(asked?.messages)).toContain('The open form: Invoice 17')
    expect(asked?.tools.map(({ name }) => name)).toContain('addTodo')
  })

  it('sends its images, its files and their converted texts to Claude', async () => {
    const content = [
      { type: 'text', text: 'Look.' },
      { type: 'image', url: `data:image/png;base64,${PNG}` },
      { type: 'file', url: `data:application/pdf;base64,${PDF}`, mimeType: 'application/pdf' },
      {
        type: 'transformed_file',
        text: 'Total: 12',
        originalFile: { name: 'bill.pdf', mimeType: 'application/pdf', size: 9 },
      },
    ]
    const frames = await say([hello], { messages: [{ id: 'u1', role: 'user', content }] })

    expect(requests()[0]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
        { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: PDF } },
        { type: 'text', text: '[Content of file "bill.pdf" (application/pdf)]:\n\nTotal: 12' },
      ],
    })
    checkEvents(frames)
  })
})
