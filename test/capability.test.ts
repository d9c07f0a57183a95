import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, ServiceError, type Capability, type Json } from '../src/index.ts'
import { calls, ends, says, scriptedModel, step } from './support/scripted-model.ts'
import { openServer, type TestServer } from './support/server.ts'
import { framesOf } from './support/event-stream.ts'

const model = scriptedModel()
let server: TestServer

async function open(engine: string, capability: Partial<Capability>): Promise<void> {
  server = await openServer({ models: model.models, agent: { engine }, capability })
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

const spent = { input: 100, output: 10 }
const says100 = (words: string) => step(says(words), ends('stop', spent))

describe.each(['pi', 'ai-sdk'])('a capability, its agent driven by %s,', (engine) => {
  const judge = defineTool({
    name: 'judge',
    description: 'Judges.',
    input: z.object({}),
    async execute(_input, { model: own, signal }) {
      const verdict = z.object({ fit: z.enum(['High', 'Low']) })
      const { fit } = await own.object({ instructions: 'Judge.', text: 'This.', schema: verdict }, signal)
      return { output: { fit, by: own.name() }, text: fit }
    },
  })

  it('has tools that ask its model, and what they use counts to the run', async () => {
    await open(engine, { tools: [judge] })
    model.play([
      step(calls('c1', 'judge', {}), ends('tool-calls', spent)),
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

  it('is charged for what a tool used before it failed', async () => {
    await open(engine, { tools: [judge] })
    model.play([
      step(calls('c1', 'judge', {}), ends('tool-calls', spent)),
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

  it('settles what a client says of its surroundings before the run begins, or refuses it', async () => {
    const seen: unknown[] = []
    await open(engine, {
      settleContext: async (context, userId) => {
        seen.push([context, userId])
        if (JSON.stringify(context).includes('wrong')) {
          throw new ServiceError('invalid-request', 'context.page is wrong.')
        }
        return { page: 7 }
      },
      tools: [
        defineTool({
          name: 'look',
          description: 'Looks.',
          input: z.object({}),
          execute: async (_input, { context }) => ({ output: context, text: 'seen' }),
        }),
      ],
    })
    model.play([step(calls('c1', 'look', {})), says100('Seen.')])

    const { events } = await run({ page: 'https://a.example' })
    const refused = await run({ page: 'wrong' })

    expect(seen[0]).toEqual([{ page: 'https://a.example' }, 'local'])
    expect(events.find(({ type }) => type === 'tool.returned')).toMatchObject({ output: { page: 7 } })
    expect(refused).toMatchObject({ status: 400 })
  })

  it('works beside all requests until the server closes', async () => {
    let signal: AbortSignal | undefined
    let ended = false
    await open(engine, {
      background: async (until) => {
        signal = until
        await new Promise((resolve) => until.addEventListener('abort', resolve))
        ended = true
      },
    })

    expect(signal?.aborted).toBe(false)
    await server[Symbol.asyncDispose]()
    expect(ended).toBe(true)
    await open(engine, {})
  })
})
