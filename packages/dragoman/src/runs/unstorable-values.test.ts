import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type EngineEvent, type Tool, type ToolContext } from '../agents/index.ts'
import type { Json } from '../events/index.ts'
import { callingWith } from './calling.fixture.ts'
import { request, harnesses, step } from './harness.fixture.ts'

/** What code of others hands over, whatever its types say. */
const anything = (value: unknown): Json => value as Json
const cycle: { self?: unknown } = {}
cycle.self = cycle
const throwing = {
  get field(): never {
    throw new Error('no field')
  },
}
/** 60 MB, which take no memory. */
const huge = Array.from({ length: 60 }, () => 'x'.repeat(1024 * 1024))

describe('a value that cannot be stored', () => {
  const harness = harnesses()
  const data = (value: unknown): EngineEvent => ({ type: 'data', name: 'card', value: anything(value) })

  it.each<[string, () => unknown]>([
    ['a BigInt', () => data({ n: 10n })],
    ['a cycle', () => data(cycle)],
    ['a getter that throws', () => data(throwing)],
    ['60 MB', () => data(huge)],
    ['a delta that is no text', () => ({ type: 'text.delta', partId: 't', delta: 10n })],
    ['usage that is no number', () => ({ ...step.finished, usage: { inputTokens: 1n, outputTokens: 1 } })],
    ['an event of an unknown type', () => ({ type: 'nonsense' })],
  ])('ends the run of an engine that emits %s, after one attempt', async (_what, event) => {
    let attempts = 0
    const here = await harness(async (_job, host) => {
      attempts += 1
      await host.emit(step.started)
      await host.emit({ type: 'text.started', partId: 't' })
      await host.emit(event() as EngineEvent)
    })

    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(events.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'internal' } })
    expect(attempts).toBe(1)
  })

  it('is copied, so that an engine that changes it later changes nothing', async () => {
    const value: { n: unknown } = { n: 1 }
    const here = await harness(async (_job, host) => {
      await host.emit(step.started)
      const emitted = host.emit(data(value))
      value.n = 10n
      await emitted
      await host.emit(step.finished)
    })

    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(events).toContainEqual({ type: 'data', name: 'card', value: { n: 1 } })
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
  })

  const changeState = ({ state }: ToolContext, value: unknown): unknown => {
    state.change([{ op: 'add', path: '', value: { n: 1 } }])
    Object.assign(state.current() as object, { n: value })
    return 'changed'
  }
  it.each<[string, (context: ToolContext) => unknown]>([
    ['an output with a BigInt', () => ({ n: 10n })],
    ['an output that holds itself', () => cycle],
    ['an output whose getter throws', () => throwing],
    ['an output of 60 MB', () => huge],
    ['a result by hand with a BigInt', () => ({ ...toolResult({ output: 1, text: 'x' }), output: 10n })],
    [
      'a result by hand whose text is no text',
      () => ({ ...toolResult({ output: 1, text: 'x' }), text: 10n }),
    ],
    ['progress with a BigInt', ({ progress }) => progress({ output: anything({ n: 10n }) })],
    ['a state that it changes itself', (context) => changeState(context, 10n)],
    [
      'a patch with a BigInt',
      ({ state }) => state.change([{ op: 'add', path: '', value: anything({ n: 10n }) }]),
    ],
    ['a patch with a cycle', ({ state }) => state.change([{ op: 'add', path: '', value: anything(cycle) }])],
    [
      'an error whose message is no text',
      () => Promise.reject(Object.assign(new Error('x'), { message: 10n })),
    ],
  ])('fails the call of a tool with %s, which runs once', async (_what, execute) => {
    let calls = 0
    const go: Tool = defineTool({
      name: 'go',
      description: 'Goes.',
      inputSchema: z.unknown(),
      idempotent: true,
      execute: (_input, context) => {
        calls += 1
        return execute(context)
      },
    })
    const here = await harness(callingWith('go', {}), { tools: [go] })

    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(events).toContainEqual(expect.objectContaining({ type: 'tool.failed' }))
    expect(calls).toBe(1)
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('does not stop progress with too large an output: it is left out', async () => {
    const go = defineTool({
      name: 'go',
      description: 'Goes.',
      inputSchema: z.unknown(),
      execute: (_input, { progress }) => {
        progress({ delta: 'half', output: huge })
        return 'done'
      },
    })
    const here = await harness(callingWith('go', {}), { tools: [go] })

    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(events).toContainEqual({ type: 'tool.progressed', callId: expect.any(String), delta: 'half' })
    expect(events).toContainEqual(expect.objectContaining({ type: 'tool.returned', text: 'done' }))
  })
})
