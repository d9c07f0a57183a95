import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../agents/index.ts'
import type { LogEntry, RunEvent } from '../events/index.ts'
import { gate } from '../../../../test/support/gate.ts'
import { calling } from './calling.fixture.ts'
import { workedMs } from './deadline.ts'
import { request, harnesses, step, untilAborted } from './harness.fixture.ts'

const HOUR_MS = 3_600_000
const outOfTime = {
  type: 'run.failed',
  failure: {
    code: 'timed-out',
    message: 'The run was ended after 0.05 s of work (limits.runSeconds).',
    retryable: true,
  },
}

describe('the deadline of a run', () => {
  const harness = harnesses()

  it('fails a run whose engine hangs, and closes what is open', async () => {
    const { runs, ended } = await harness(
      async (_job, host) => {
        await host.emit(step.started)
        await host.emit({ type: 'text.started', partId: 't' })
        await host.emit({ type: 'text.delta', partId: 't', delta: 'Half' })
        await untilAborted(host)
      },
      { runSeconds: 0.05 },
    )

    const events = await ended((await runs.start(request)).run.id)

    expect(events.map(({ type }) => type).slice(3)).toEqual([
      'text.delta',
      'text.ended',
      'step.finished',
      'run.failed',
    ])
    expect(events.at(-1)).toMatchObject(outOfTime)
  })

  it('fails a run whose engine ignores its signal', async () => {
    const { runs, ended } = await harness(() => new Promise(() => undefined), { runSeconds: 0.05 })

    expect((await ended((await runs.start(request)).run.id)).at(-1)).toMatchObject(outOfTime)
  })

  it('stops a tool that is at work', async () => {
    const aborted = Promise.withResolvers<string>()
    const slow = defineTool({
      name: 'slow',
      description: 'Works until it is stopped.',
      inputSchema: z.object({ n: z.number() }),
      execute: (_input, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            aborted.resolve('aborted')
            reject(new Error('stopped'))
          })
        }),
    })
    const { runs, ended } = await harness(calling('slow'), { tools: [slow], runSeconds: 0.5 })

    const events = await ended((await runs.start(request)).run.id)

    expect(await aborted.promise).toBe('aborted')
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'timed-out' } })
    expect(events.filter(({ type }) => type === 'tool.failed')).toHaveLength(1)
  })

  it('lets the next message of the thread be answered', async () => {
    let runs = 0
    const here = await harness(
      async (_job, host) => {
        runs += 1
        if (runs === 1) return untilAborted(host)
        await host.emit(step.started)
        return host.emit(step.finished)
      },
      { runSeconds: 0.05 },
    )
    const first = await here.runs.start({ ...request, thread: 'chat' })
    await here.ended(first.run.id)

    const second = await here.runs.start({ ...request, thread: 'chat' })

    expect((await here.ended(second.run.id)).at(-1)).toMatchObject({ type: 'run.finished' })
  })
})

describe('the deadline of a run that waits for a person', () => {
  const harness = harnesses()
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
  afterEach(() => void vi.useRealTimers())

  const pay = (work: () => void) =>
    defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ n: z.number() }),
      needsApproval: true,
      async execute() {
        work()
        return toolResult({ output: null, text: 'paid' })
      },
    })
  const passHours = (hours: number): void => void vi.setSystemTime(Date.now() + hours * HOUR_MS)
  const parked = async (worked: number) => {
    const engine = calling('pay')
    const work = gate()
    const here = await harness(
      async (job, host) => {
        if (!job.partialAnswer) {
          await host.emit(step.started)
          await work.pass(host.signal)
          await host.emit(step.finished)
        }
        return engine(job, host)
      },
      { tools: [pay(() => undefined)], runSeconds: 3600, answerWithin: 24 * 3600 },
    )
    const { run } = await here.runs.start(request)
    await here.said(run.id, 'step.started')
    passHours(worked)
    work.open()
    await here.said(run.id, 'run.waiting')
    return { here, run }
  }
  const yes = { kind: 'approval', approved: true } as const

  it('does not count the time that it waits', async () => {
    const { here, run } = await parked(0)
    passHours(5)

    await here.runs.answer(run, { callId: `${run.id}.1`, answer: yes }, 'ada')

    expect((await here.ended(run.id)).at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('counts the time that it worked before', async () => {
    const { here, run } = await parked(2)

    await here.runs.answer(run, { callId: `${run.id}.1`, answer: yes }, 'ada')

    expect((await here.ended(run.id)).at(-1)).toMatchObject({
      type: 'run.failed',
      failure: { code: 'timed-out' },
    })
  })
})

describe('the time that a run has worked', () => {
  const entry = (at: number, type: string): LogEntry => ({ seq: at, at, event: { type } as RunEvent })

  it.each<[string, LogEntry[], number]>([
    ['is none before its first step', [entry(0, 'run.started'), entry(900, 'user.joined')], 0],
    [
      'does not include the queue',
      [entry(0, 'run.started'), entry(500, 'step.started'), entry(530, 'run.finished')],
      30,
    ],
    [
      'does not include a wait for an answer',
      [
        entry(0, 'run.started'),
        entry(10, 'step.started'),
        entry(20, 'run.waiting'),
        entry(800, 'tool.answered'),
        entry(900, 'run.resumed'),
        entry(905, 'tool.executing'),
      ],
      15,
    ],
    [
      'does not include the time after a crash',
      [
        entry(0, 'run.started'),
        entry(10, 'step.started'),
        entry(20, 'text.delta'),
        entry(900, 'run.resumed'),
        entry(907, 'step.started'),
      ],
      17,
    ],
  ])('%s', (_what, entries, ms) => {
    expect(workedMs(entries)).toBe(ms)
  })
})
