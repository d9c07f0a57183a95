import { describe, expect, it } from 'vitest'

import { z } from 'zod'

import { defineTool, toolResult, type AgentEngine } from '../agents/index.ts'
import { request, harnesses, step } from './harness.fixture.ts'

const CALLS = 30

/** Asks for all in one breath, as models may. */
const asksForMany: AgentEngine['run'] = async (_job, host) => {
  await host.emit(step.started)
  const outcomes = Array.from({ length: CALLS }, async (_none, n) => {
    await host.emit({ type: 'tool.called', callId: `c${n}`, tool: 'act', input: {} })
    return host.call({ callId: `c${n}`, tool: 'act', input: { value: {} } })
  })
  await Promise.all(outcomes)
  await host.emit(step.finished)
}

describe('a step with many tool calls', () => {
  const harness = harnesses()
  const opened = async () => {
    const go = Promise.withResolvers<void>()
    const work = { now: 0, most: 0, begun: 0 }
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      inputSchema: z.object({}),
      async execute() {
        work.begun += 1
        work.now += 1
        work.most = Math.max(work.most, work.now)
        await go.promise
        work.now -= 1
        return toolResult({ output: null, text: 'Done.' })
      },
    })
    const made = await harness(asksForMany, { tools: [act] })
    const { run } = await made.runs.start(request)
    await expect.poll(() => work.now, { interval: 5 }).toBe(10)
    return { ...made, run, work, go }
  }

  it('runs at most ten calls at a time', async () => {
    const { run, work, go, types } = await opened()
    go.resolve()

    const events = await types(run.id)

    expect(events.filter((type) => type === 'tool.returned')).toHaveLength(CALLS)
    expect(work).toEqual({ now: 0, most: 10, begun: CALLS })
  })

  it('begins no call after a stop', async () => {
    const { run, work, runs, types } = await opened()

    await runs.stop(run, 'ada')

    const events = await types(run.id)
    expect(events.at(-1)).toBe('run.cancelled')
    expect(events.filter((type) => type === 'tool.executing')).toHaveLength(10)
    expect(work.begun).toBe(10)
  })
})
