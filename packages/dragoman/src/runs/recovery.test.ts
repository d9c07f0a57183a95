import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../agents/index.ts'
import type { NewRun, RunEvent } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { called, dead, executing, harnesses, step } from './harness.fixture.ts'

describe('runs whose process died', () => {
  const harness = harnesses()
  /** A store in which a dead process has left a run. */
  const createAbandoned = async (events: readonly RunEvent[], more: Partial<NewRun> = {}) => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.alive(dead, 60_000)
    await shared.store.create(newRun('run_1', more), 'reject', dead)
    await shared.store.append('run_1', events)
    return shared
  }
  /** Tools that keep what they were called with, and under which keys. */
  const countEffects = () => {
    const ran: string[] = []
    const tool = (name: string, idempotent: boolean) =>
      defineTool({
        name,
        description: name,
        inputSchema: z.object({ n: z.number() }),
        idempotent,
        execute: async ({ n }, { idempotencyKey }) => {
          ran.push(`${name} ${n} ${idempotencyKey}`)
          return toolResult({ output: n, text: `${name} ${n}` })
        },
      })
    return { ran, tools: [tool('write', false), tool('read', true)] }
  }

  it('start if they had not begun', async () => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.create(newRun('run_1'), 'reject')

    const here = await harness(async () => undefined, shared)

    expect(await here.types('run_1')).toEqual(['run.started', 'run.finished'])
  })

  it('continue with closed parts and settled calls, which the engine reads', async () => {
    const { ran, tools } = countEffects()
    const shared = await createAbandoned([
      step.started,
      { type: 'text.started', partId: 'run_1.1' },
      { type: 'text.delta', partId: 'run_1.1', delta: 'I look' },
      { type: 'text.ended', partId: 'run_1.1' },
      called(2, 'write'),
      called(3, 'write'),
      called(4, 'read'),
      called(5, 'read'),
      executing(2),
      executing(4),
      { type: 'tool.started', callId: 'run_1.6', tool: 'write' },
      { type: 'tool.delta', callId: 'run_1.6', delta: '{"n"' },
    ])
    const jobs: unknown[] = []

    const here = await harness(
      async (job, host) => {
        jobs.push([
          job.partialAnswer?.parts.map((part) => ('state' in part ? part.state : part.type)),
          job.stepsLeft,
        ])
        await host.emit(step.started)
        await host.emit({ type: 'text.started', partId: 't' })
        await host.emit({ type: 'text.delta', partId: 't', delta: 'and go on' })
      },
      { ...shared, tools },
    )

    const events = await here.ended('run_1')
    const since = events.slice(events.findIndex(({ type }) => type === 'run.resumed'))
    expect(since.slice(0, 3)).toMatchObject([
      { type: 'run.resumed', because: 'crash', attempt: 1 },
      { type: 'tool.failed', callId: 'run_1.6', failure: { code: 'interrupted' } },
      { type: 'step.finished', reason: 'interrupted', usage: { estimated: true } },
    ])
    const outcomes = since.filter(({ type }) => type === 'tool.returned' || type === 'tool.failed').slice(1)
    expect(
      Object.fromEntries(outcomes.map((event) => ['callId' in event && event.callId, event])),
    ).toMatchObject({
      'run_1.2': { type: 'tool.failed', failure: { code: 'outcome-unknown' } },
      'run_1.3': { type: 'tool.returned', text: 'write 3' },
      'run_1.4': { type: 'tool.returned', text: 'read 4' },
      'run_1.5': { type: 'tool.returned', text: 'read 5' },
    })
    expect(ran.toSorted()).toEqual(['read 4 run_1/run_1.4', 'read 5 run_1/run_1.5', 'write 3 run_1/run_1.3'])
    expect(jobs).toEqual([[['step', 'text', 'failed', 'returned', 'returned', 'returned', 'failed'], 10]])
    expect(since.at(-1)).toMatchObject({ type: 'run.finished' })
    const ids = events.flatMap((event) => (event.type === 'text.started' ? [event.partId] : []))
    expect(ids).toEqual(['run_1.1', 'run_1.7'])
  })

  it('fail a question that a later message superseded, and read the message', async () => {
    const { ran, tools } = countEffects()
    const shared = await createAbandoned([
      step.started,
      called(1, 'write'),
      { type: 'tool.asked', callId: 'run_1.1', question: { kind: 'approval' } },
      { type: 'user.joined', messageId: 'm2', input: [{ type: 'text', text: 'never mind' }] },
    ])
    const texts: unknown[] = []
    const here = await harness(
      async (job, host) => void texts.push(job.partialAnswer?.parts.length, await host.takeUserMessages()),
      {
        ...shared,
        tools,
      },
    )

    const events = await here.ended('run_1')

    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'tool.failed',
        failure: expect.objectContaining({ code: 'unanswered' }),
      }),
    )
    expect(texts).toMatchObject([2, [{ id: 'm2' }]])
    expect(ran).toEqual([])
  })

  it('only end if the answer was complete', async () => {
    const shared = await createAbandoned([step.started, step.finished])
    let count = 0
    const here = await harness(async () => void (count += 1), shared)

    expect((await here.ended('run_1')).slice(-2)).toMatchObject([
      { type: 'run.resumed' },
      { type: 'run.finished', reason: 'stop', usage: { inputTokens: 3, outputTokens: 4 } },
    ])
    expect(count).toBe(0)
  })

  it('are cancelled if a stop was requested', async () => {
    const shared = await createAbandoned([step.started, { type: 'run.stop-requested', by: 'ada' }])
    const here = await harness(async () => undefined, shared)

    expect((await here.types('run_1')).slice(-2)).toEqual(['step.finished', 'run.cancelled'])
  })

  it.each([
    [
      'died three times',
      [1, 2].map((attempt): RunEvent => ({ type: 'run.resumed', because: 'crash', attempt })),
      {},
    ],
    ['may not go on', [], { onCrash: 'fail' as const }],
  ])('that %s end as interrupted, and free their thread', async (_which, before, more) => {
    const shared = await createAbandoned([...before, step.started, called(1, 'write'), executing(1)], more)
    const here = await harness(async () => undefined, shared)

    expect((await here.ended('run_1')).slice(-3)).toMatchObject([
      { type: 'tool.failed', failure: { code: 'outcome-unknown' } },
      { type: 'step.finished', reason: 'interrupted' },
      { type: 'run.failed', failure: { code: 'interrupted' } },
    ])
    expect((await shared.store.create(newRun('run_2'), 'reject')).created).toBe(true)
  })

  it('count the attempt in the log before any code may kill the process again', async () => {
    const shared = await createAbandoned([step.started, called(1, 'pay')])
    const answers: string[] = []
    let pending: Promise<void> | undefined
    const look = async (): Promise<void> => {
      answers.push(...(await shared.store.read('run_1', 0)).map(({ event }) => event.type))
    }
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({ n: z.number() }),
      needsApproval: () => {
        pending = look()
        return false
      },
      execute: async () => toolResult({ output: null, text: 'Paid.' }),
    })

    const here = await harness(async () => undefined, { ...shared, tools: [pay] })
    await here.ended('run_1')
    await pending

    expect(answers).toContain('run.resumed')
  })

  it('are left to a process that has their agent, and end when they are stopped', async () => {
    const shared = await createAbandoned([step.started], { agent: 'gone' })
    const here = await harness(async () => undefined, shared)
    await here.runs.recovered
    const run = await shared.store.get('run_1')
    expect(run).toMatchObject({ status: 'running', lastSeq: 2 })

    if (run) await here.runs.stop(run, 'ada')

    expect((await here.ended('run_1')).at(-1)).toMatchObject({ type: 'run.cancelled', by: 'ada' })
  })
})
