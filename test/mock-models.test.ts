import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { simulateReadableStream, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, ServiceError, type Json } from '../src/index.ts'
import { client } from './support/http.ts'
import { openServer, type TestServer } from './support/server.ts'

type Part = LanguageModelV4StreamPart
type Event = { readonly type: string; readonly [field: string]: unknown }

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 5, text: 5, reasoning: undefined },
}
const finish = (unified: 'stop' | 'tool-calls'): Part => ({
  type: 'finish',
  finishReason: { unified, raw: undefined },
  usage,
})
const hello: Part[] = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hello ' },
  { type: 'text-delta', id: 't', delta: 'world!' },
  { type: 'text-end', id: 't' },
  finish('stop'),
]
const call = (id: string): Part[] => [
  { type: 'tool-input-start', id, toolName: 'probe' },
  { type: 'tool-input-delta', id, delta: '{"val' },
  { type: 'tool-input-delta', id, delta: 'ue":"test"}' },
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName: 'probe', input: '{"value":"test"}' },
  finish('tool-calls'),
]

/** Slowly enough that nothing is joined. */
const streamed = (parts: readonly Part[]) => ({
  stream: simulateReadableStream({ initialDelayInMs: 5, chunkDelayInMs: 15, chunks: [...parts] }),
})

/** The models that the AI SDK has for tests: each answer is a step, and after the last it begins anew. */
const mocks: Readonly<Record<string, (answers: readonly Part[][]) => LanguageModelV4>> = {
  MockLanguageModelV4(answers) {
    const mock: MockLanguageModelV4 = new MockLanguageModelV4({
      doStream: async () => streamed(answers[(mock.doStreamCalls.length - 1) % answers.length] ?? []),
    })
    return mock
  },
  'MockLanguageModelV3, wrapped as docs/models.md says,'(answers) {
    const mock: MockLanguageModelV3 = new MockLanguageModelV3({
      // What these parts say, both versions say alike.
      doStream: async () =>
        streamed(answers[(mock.doStreamCalls.length - 1) % answers.length] ?? []) as Awaited<
          ReturnType<MockLanguageModelV3['doStream']>
        >,
    })
    return wrapLanguageModel({ model: mock, middleware: [] })
  },
}

describe.each(Object.entries(mocks))('the AI SDK’s %s, asked over AG-UI', (_, mocked) => {
  let model: LanguageModelV4
  let server: TestServer
  const ran: Json[] = []
  const probe = defineTool({
    name: 'probe',
    description: 'Probes.',
    input: z.object({ value: z.string() }),
    async execute({ value }) {
      ran.push(value)
      return { output: null, text: `probed ${value}` }
    },
  })
  beforeAll(async () => {
    const failure = (cause: unknown) => new ServiceError('model-failed', 'It failed.', { cause })
    const choice = { name: 'mock:model', why: 'It is a test.', load: async () => model, failure }
    const models = { choose: () => choice }
    server = await openServer({ models, tools: [probe], agent: { engine: 'ai-sdk', maxSteps: 10 } })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(() => void ran.splice(0))

  let count = 0
  /** The events of a run of its own conversation. */
  const run = async (): Promise<Event[]> => {
    count += 1
    const response = await client(server).post('/ag-ui/jobs', {
      threadId: `thread-${count}`,
      runId: `run-${count}`,
      messages: [{ id: `u-${count}`, role: 'user', content: 'Go.' }],
      tools: [],
      context: [],
    })
    const lines = (await response.text()).split('\n').filter((line) => line.startsWith('data: '))
    return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Event)
  }
  const deltas = (events: readonly Event[], type: string) =>
    events.flatMap((event) => (event.type === type ? [event['delta']] : []))

  it('gives each delta of a text as it comes', async () => {
    model = mocked([hello])

    const events = await run()

    expect(deltas(events, 'TEXT_MESSAGE_CONTENT')).toEqual(['Hello ', 'world!'])
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
  })

  it('gives a call’s arguments as they come, runs it, and goes on', async () => {
    model = mocked([call('c1'), hello])

    const events = await run()

    expect(deltas(events, 'TOOL_CALL_ARGS')).toEqual(['{"val', 'ue":"test"}'])
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'TOOL_CALL_RESULT', content: 'probed test' }),
    )
    expect(ran).toEqual(['test'])
    expect(deltas(events, 'TEXT_MESSAGE_CONTENT').join('')).toBe('Hello world!')
    expect(events.filter(({ type }) => type === 'STEP_STARTED')).toHaveLength(2)
  })

  it('is asked ten times at most, where each answer calls again', async () => {
    model = mocked([call('c1')])

    const events = await run()

    expect(events.filter(({ type }) => type === 'STEP_FINISHED')).toHaveLength(10)
    expect(ran).toHaveLength(10)
    expect(events.filter(({ type }) => type === 'RUN_FINISHED')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
  })
})
