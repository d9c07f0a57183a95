import { tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import {
  defineTool,
  ServiceError,
  toolResult,
  type AgentModule,
  type AgentTools,
  type Json,
} from '../packages/dragoman/src/index.ts'
import { calls, ends, says, scriptedModel, step } from './support/scripted-model.ts'
import { openServer, type TestServer } from './support/server.ts'
import { framesOf } from './support/event-stream.ts'

const model = scriptedModel()
let server: TestServer

async function open(
  engine: string,
  capability: Partial<AgentModule<AgentTools>>,
  tools: AgentTools = [],
): Promise<void> {
  server = await openServer({ models: model.models, agent: { engine }, tools, capability })
}
afterEach(() => server[Symbol.asyncDispose]())

async function run(context: Json = {}): Promise<{ status: number; events: Record<string, unknown>[] }> {
  const asJson = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const made = await fetch(`${server.url}/v1/threads`, { ...asJson, body: '{"agent":"jobs"}' })
  const thread = (await made.json()) as { id: string }
  const body = JSON.stringify({ message: 'Judge.', context })
  const response = await fetch(`${server.url}/v1/threads/${thread.id}/runs`, { ...asJson, body })
  return { status: response.status, events: framesOf(Buffer.from(await response.arrayBuffer())) }
}

const stepUsage = { input: 100, output: 10 }
const says100 = (words: string) => step(says(words), ends('stop', stepUsage))

describe.each(['pi', 'default', 'ai-sdk'])('an agent module on the engine %s', (engine) => {
  const judge = defineTool({
    name: 'judge',
    description: 'Judges.',
    inputSchema: z.object({}),
    async execute(_input, { model: own, signal }) {
      const verdict = z.object({ fit: z.enum(['High', 'Low']) })
      const { fit } = await own.object({ instructions: 'Judge.', text: 'This.', schema: verdict }, signal)
      return toolResult({ output: { fit, by: own.name() }, text: fit })
    },
  })

  it('counts the model calls of its tools to the run', async () => {
    await open(engine, {}, [judge])
    model.play([
      step(calls('c1', 'judge', {}), ends('tool-calls', stepUsage)),
      says100('{"fit": "High"}'),
      says100('It fits.'),
    ])

    const { events } = await run()

    expect(events.find(({ type }) => type === 'tool.returned')).toMatchObject({
      output: { fit: 'High', by: 'scripted:model' },
      usage: { inputTokens: 100, outputTokens: 10 },
    })
    expect(events.at(-1)).toMatchObject({
      type: 'run.finished',
      usage: { inputTokens: 300, outputTokens: 30 },
    })
  })

  it('counts the usage of a tool that fails', async () => {
    await open(engine, {}, [judge])
    model.play([
      step(calls('c1', 'judge', {}), ends('tool-calls', stepUsage)),
      says100('High, I would say.'),
      says100('Very high.'),
      says100('It cannot be judged.'),
    ])

    const { events } = await run()

    expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
      failure: { code: 'model-failed' },
      usage: { inputTokens: 200, outputTokens: 20 },
    })
    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 400, outputTokens: 40 } })
  })

  it('resolves the context of a request before the run, or rejects it', async () => {
    const observed: unknown[] = []
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: async (_input, { context }) => toolResult({ output: context, text: 'seen' }),
    })
    const resolve = async (context: Json, userId: string): Promise<Json> => {
      observed.push([context, userId])
      if (JSON.stringify(context).includes('wrong')) {
        throw new ServiceError('invalid-request', 'context.page is wrong.')
      }
      return { page: 7 }
    }
    await open(engine, { context: { resolve } }, [look])
    model.play([step(calls('c1', 'look', {})), says100('Seen.')])

    const { events } = await run({ page: 'https://a.example' })
    const refused = await run({ page: 'wrong' })

    expect(observed[0]).toEqual([{ page: 'https://a.example' }, 'local'])
    expect(events.find(({ type }) => type === 'tool.returned')).toMatchObject({ output: { page: 7 } })
    expect(refused).toMatchObject({ status: 400 })
  })

  it('accepts AI SDK tools, always and for one run', async () => {
    const city = z.object({ city: z.string() })
    const weather = tool({ description: 'Weather.', inputSchema: city, execute: () => ({ sky: 'rain' }) })
    const toolsFor = async () => ({ tools: { local_weather: weather }, notes: [] })
    await open(engine, { toolsFor }, { weather })
    const oslo = { city: 'Oslo' }
    model.play([
      step(calls('c1', 'weather', oslo), calls('c2', 'local_weather', oslo), ends('tool-calls', stepUsage)),
      says100('Rain.'),
    ])

    const { events } = await run()

    const returned = events.filter(({ type }) => type === 'tool.returned')
    expect(returned).toMatchObject([{ text: '{"sky":"rain"}' }, { text: '{"sky":"rain"}' }])
  })

  it('runs its background work until the server closes', async () => {
    const start = Promise.withResolvers<AbortSignal>()
    let ended = false
    await open(engine, {
      background: async (until) => {
        start.resolve(until)
        await new Promise((resolve) => until.addEventListener('abort', resolve))
        ended = true
      },
    })

    expect((await start.promise).aborted).toBe(false)
    await server[Symbol.asyncDispose]()
    expect(ended).toBe(true)
    await open(engine, {})
  })
})
