import type { LanguageModelV2StreamPart, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV2 } from 'ai-5-0-277/test'
import { MockLanguageModelV3 } from 'ai-6-0-326/test'
import { MockLanguageModelV4 } from 'ai/test'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type Json, type LanguageModel } from '../packages/dragoman/src/index.ts'
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

/** What a client has received of an answer so far. */
let received = ''
let receive = (): void => undefined

/** After each delta, the model waits until a client has received it. So nothing is joined, or kept until the end. */
const streamed = <P extends { readonly type: string; readonly delta?: string }>(parts: readonly P[]) => {
  let rest = parts
  const stream = new ReadableStream<P>(
    {
      async pull(controller) {
        const [part, ...others] = rest
        rest = others
        if (!part) return controller.close()
        controller.enqueue(part)
        const delta = part.delta === undefined ? '' : JSON.stringify(part.delta)
        while (!received.includes(delta)) await new Promise<void>((resolve) => (receive = resolve))
        received = ''
      },
    },
    { highWaterMark: 0 },
  )
  return { stream }
}

const v2Part = (part: Part): LanguageModelV2StreamPart =>
  part.type === 'finish'
    ? {
        type: 'finish',
        finishReason: part.finishReason.unified as 'stop',
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
      }
    : (part as LanguageModelV2StreamPart)

/** The models that the AI SDK has for tests, each of which says what comes next. */
const mocks: Readonly<Record<string, (next: () => readonly Part[]) => LanguageModel>> = {
  'MockLanguageModelV4 of AI SDK 7': (next) =>
    new MockLanguageModelV4({ doStream: async () => streamed(next()) }),
  // What these parts say, versions 6 and 7 say alike.
  'MockLanguageModelV3 of AI SDK 6': (next) =>
    new MockLanguageModelV3({
      doStream: async () => streamed(next()) as Awaited<ReturnType<MockLanguageModelV3['doStream']>>,
    }),
  'MockLanguageModelV2 of AI SDK 5': (next) =>
    new MockLanguageModelV2({
      doStream: async () =>
        streamed(next().map(v2Part)) as Awaited<ReturnType<MockLanguageModelV2['doStream']>>,
    }),
}

describe.each(Object.entries(mocks))('an agent with the model %s over AG-UI', (_, mocked) => {
  /** Each is a step, and after the last it begins anew. */
  let answers: readonly Part[][] = []
  let requests = 0
  let server: TestServer
  const ran: Json[] = []
  const probe = defineTool({
    name: 'probe',
    description: 'Probes.',
    inputSchema: z.object({ value: z.string() }),
    async execute({ value }) {
      ran.push(value)
      return toolResult({ output: null, text: `probed ${value}` })
    },
  })
  beforeAll(async () => {
    const model = mocked(() => answers[requests++ % answers.length] ?? [])
    server = await openServer({ tools: [probe], agent: { model, engine: 'default', maxSteps: 10 } })
  })
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(() => {
    ran.length = 0
    requests = 0
  })

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
    let text = ''
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece
      received += piece
      receive()
    }
    const lines = text.split('\n').filter((line) => line.startsWith('data: '))
    return lines.map((line) => JSON.parse(line.slice('data: '.length)) as Event)
  }
  const deltas = (events: readonly Event[], type: string) =>
    events.flatMap((event) => (event.type === type ? [event['delta']] : []))

  it('sends each text delta as it arrives', async () => {
    answers = [hello]

    const events = await run()

    expect(deltas(events, 'TEXT_MESSAGE_CONTENT')).toEqual(['Hello ', 'world!'])
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
  })

  it('sends a call’s arguments as they arrive, runs it, and continues', async () => {
    answers = [call('c1'), hello]

    const events = await run()

    expect(deltas(events, 'TOOL_CALL_ARGS')).toEqual(['{"val', 'ue":"test"}'])
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'TOOL_CALL_RESULT', content: 'probed test' }),
    )
    expect(ran).toEqual(['test'])
    expect(deltas(events, 'TEXT_MESSAGE_CONTENT').join('')).toBe('Hello world!')
    expect(events.filter(({ type }) => type === 'STEP_STARTED')).toHaveLength(2)
  })
})
