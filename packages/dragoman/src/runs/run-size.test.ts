import { setImmediate as turn } from 'node:timers/promises'

import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type AgentEngine, type EngineHost } from '../agents/index.ts'
import { customEngine, type CustomStream } from '../engine/index.ts'
import type { RunEvent } from '../events/index.ts'
import { eventSize } from '../log/index.ts'
import { calling } from './calling.fixture.ts'
import { harnesses, request, step } from './harness.fixture.ts'

const LIMIT = 100_000
const part = { partId: 'p' }
const delta = (text: string) => ({ type: 'text.delta', partId: 'p', delta: text }) as const
const sizeOf = (events: readonly RunEvent[]): number =>
  events.reduce((bytes, event) => bytes + eventSize(event), 0)

type Emit = (host: EngineHost) => Promise<void>

async function forever(act: () => void | Promise<void>): Promise<never> {
  for (;;) await act()
}

/** Engines that would never end by themselves, and never look at their signal. */
const endless: Readonly<Record<string, Emit>> = {
  'of words': (host) => forever(() => host.emit(delta('word '))),
  'of reasoning': (host) => forever(() => host.emit({ type: 'reasoning.delta', partId: 'r', delta: 'Hm. ' })),
  'of large pieces': (host) => forever(() => host.emit(delta('x'.repeat(30_000)))),
  'of one piece that is too large': (host) => forever(() => host.emit(delta('x'.repeat(10 * LIMIT)))),
  'of parts': (host) => forever(() => host.emit({ type: 'text.started', partId: String(Math.random()) })),
  'of data': (host) =>
    forever(() => host.emit({ type: 'data', name: 'card', value: { rows: 'x'.repeat(900) } })),
  'of steps': async (host) => {
    await forever(async () => {
      await host.emit(step.started)
      await host.emit(step.finished)
    })
  },
  'of inputs': (host) => {
    let n = 0
    return forever(() => {
      const callId = String((n += 1))
      return host.emit({ type: 'tool.called', callId, tool: 'look', input: 'x'.repeat(5000) })
    })
  },
  'of metadata of the provider': async (host) => {
    await forever(async () => {
      await host.emit({ type: 'text.started', ...part })
      await host.emit({ type: 'text.ended', ...part, provider: { signature: 'x'.repeat(5000) } })
    })
  },
}

describe('a run that grows without end', () => {
  const harness = harnesses()

  it.each(Object.entries(endless))('fails with the limit: %s', async (_, emit) => {
    const here = await harness(
      async (_job, host) => {
        await host.emit(step.started)
        await emit(host)
      },
      { bytesPerRun: LIMIT },
    )

    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(events.at(-1)).toMatchObject({
      type: 'run.failed',
      failure: { code: 'too-large', message: expect.stringContaining('limits.bytesPerRun') as string },
    })
    expect(sizeOf(events)).toBeLessThan(LIMIT + 5000)
  })

  it.each<[string, AgentEngine['run']]>([
    [
      'words',
      async (_job, host) => {
        void host.emit(step.started)
        for (;;) void host.emit(delta('word '))
      },
    ],
    [
      'nothing new',
      async (_job, host) => {
        for (;;) void host.emit(step.started)
      },
    ],
  ])('is ended if its engine emits %s in a loop that never waits', async (_, engine) => {
    const here = await harness(engine)
    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(events.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'internal' } })
  })

  it.each<[string, () => CustomStream]>([
    [
      'words',
      function* () {
        for (;;) yield 'word '
      },
    ],
    [
      'nothing',
      async function* () {
        for (;;) yield ''
      },
    ],
    [
      'data',
      function* () {
        for (;;) yield { type: 'data', name: 'progress', value: 1 }
      },
    ],
  ])('is stopped while a custom engine yields %s and never looks at its signal', async (_, stream) => {
    const { run } = customEngine(stream)
    const here = await harness(run)
    const started = (await here.runs.start(request)).run
    for (let n = 0; n < 5; n += 1) await turn()

    await here.runs.stop(started, 'ada')
    const events = await here.ended(started.id)

    expect(events.at(-1)).toMatchObject({ type: 'run.cancelled', by: 'ada' })
  })

  it('counts what the run holds already when it goes on, and what its user adds', async () => {
    const tool = defineTool({
      name: 'ask',
      description: 'Asks.',
      inputSchema: z.object({}),
      needsApproval: true,
      execute: () => 'x'.repeat(LIMIT / 2),
    })
    const here = await harness(
      async (job, host) => {
        await host.emit(step.started)
        if (job.partialAnswer) return forever(() => host.emit(delta('word ')))
        await host.emit(delta('x'.repeat(LIMIT / 4)))
        await host.emit({ type: 'tool.called', callId: 'c', tool: 'ask', input: {} })
        void host.call({ callId: 'c', tool: 'ask', input: { value: {} } })
        await host.emit(step.finished)
      },
      { bytesPerRun: LIMIT, tools: [tool] },
    )
    const { run } = await here.runs.start(request)
    await here.said(run.id, 'run.waiting')
    await here.runs.answer(
      run,
      { callId: `${run.id}.2`, answer: { kind: 'approval', approved: true } },
      'ada',
    )

    const events = await here.ended(run.id)

    expect(events.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'too-large' } })
    expect(sizeOf(events)).toBeLessThan(LIMIT + 5000)
  })

  it('fails a call whose outcome does not fit, and goes on', async () => {
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      inputSchema: z.object({}),
      execute: () => '软'.repeat(LIMIT / 2),
    })
    const here = await harness(calling('act'), { bytesPerRun: LIMIT, tools: [tool] })

    const events = await here.ended((await here.runs.start(request)).run.id)

    expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
      failure: { code: 'too-large', message: expect.stringContaining('act returned more') as string },
    })
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
  })
})
