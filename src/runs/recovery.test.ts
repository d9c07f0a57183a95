import { hostname } from 'node:os'

import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../agent/index.ts'
import { ServiceError } from '../errors.ts'
import type { NewRun, RunEvent } from '../events/index.ts'
import type { Store } from '../log/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { request, rigs, step, untilAborted } from './rig.fixture.ts'

const dead = `${hostname()}/4194999/dead/x`
const called = (n: number, tool: string): RunEvent => ({
  type: 'tool.called',
  callId: `run_1.${n}`,
  tool,
  input: { n },
})
const executing = (n: number): RunEvent => ({ type: 'tool.executing', callId: `run_1.${n}` })

describe('runs whose process died', () => {
  const rig = rigs()
  /** A store in which a dead process has left a run. */
  const left = async (events: readonly RunEvent[], more: Partial<NewRun> = {}) => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.alive(dead, 60_000)
    await shared.store.create(newRun('run_1', more), 'reject', dead)
    await shared.store.append('run_1', events)
    return shared
  }
  /** Tools that keep what they were called with, and under which keys. */
  const counted = () => {
    const ran: string[] = []
    const tool = (name: string, idempotent: boolean) =>
      defineTool({
        name,
        description: name,
        input: z.object({ n: z.number() }),
        idempotent,
        execute: async ({ n }, { key }) => {
          ran.push(`${name} ${n} ${key}`)
          return { output: n, text: `${name} ${n}` }
        },
      })
    return { ran, tools: [tool('write', false), tool('read', true)] }
  }

  it('before they began are begun', async () => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.create(newRun('run_1'), 'reject')

    const here = await rig(async () => undefined, shared)

    expect(await here.types('run_1')).toEqual(['run.started', 'run.finished'])
  })

  it('go on: what was cut is closed, calls are settled by the ledger, and the engine knows all of it', async () => {
    const { ran, tools } = counted()
    const shared = await left([
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

    const here = await rig(
      async (job, host) => {
        jobs.push([job.soFar?.parts.map((part) => ('state' in part ? part.state : part.type)), job.stepsLeft])
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

  it('take what was said in place of an answer for one that is none, and hear it', async () => {
    const { ran, tools } = counted()
    const shared = await left([
      step.started,
      called(1, 'write'),
      { type: 'tool.asked', callId: 'run_1.1', question: { kind: 'approval' } },
      { type: 'user.joined', messageId: 'm2', input: [{ type: 'text', text: 'never mind' }] },
    ])
    const heard: unknown[] = []
    const here = await rig(
      async (job, host) => void heard.push(job.soFar?.parts.length, await host.joined()),
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
    expect(heard).toMatchObject([2, [{ id: 'm2' }]])
    expect(ran).toEqual([])
  })

  it('that had said their last word are only ended', async () => {
    const shared = await left([step.started, step.finished])
    let begun = 0
    const here = await rig(async () => void (begun += 1), shared)

    expect((await here.ended('run_1')).slice(-2)).toMatchObject([
      { type: 'run.resumed' },
      { type: 'run.finished', reason: 'stop', usage: { inputTokens: 3, outputTokens: 4 } },
    ])
    expect(begun).toBe(0)
  })

  it('are cancelled where a stop had been asked for', async () => {
    const shared = await left([step.started, { type: 'run.stop-requested', by: 'ada' }])
    const here = await rig(async () => undefined, shared)

    expect((await here.types('run_1')).slice(-2)).toEqual(['step.finished', 'run.cancelled'])
  })

  it.each([
    [
      'died three times',
      [1, 2].map((attempt): RunEvent => ({ type: 'run.resumed', because: 'crash', attempt })),
      {},
    ],
    ['may not go on', [], { onCrash: 'fail' as const }],
  ])('that %s end as interrupted, and their thread takes the next', async (_which, before, more) => {
    const shared = await left([...before, step.started, called(1, 'write'), executing(1)], more)
    const here = await rig(async () => undefined, shared)

    expect((await here.ended('run_1')).slice(-3)).toMatchObject([
      { type: 'tool.failed', failure: { code: 'outcome-unknown' } },
      { type: 'step.finished', reason: 'interrupted' },
      { type: 'run.failed', failure: { code: 'interrupted' } },
    ])
    expect((await shared.store.create(newRun('run_2'), 'reject')).created).toBe(true)
  })

  it('say that they go on before anything of ours may kill this process too, or it would do so for ever', async () => {
    const shared = await left([step.started, called(1, 'pay')])
    const seen: string[] = []
    let asked: Promise<void> | undefined
    const look = async (): Promise<void> => {
      seen.push(...(await shared.store.read('run_1', 0)).map(({ event }) => event.type))
    }
    const pay = defineTool({
      name: 'pay',
      description: 'Pays.',
      input: z.object({ n: z.number() }),
      approval: () => {
        asked = look()
        return false
      },
      execute: async () => ({ output: null, text: 'Paid.' }),
    })

    const here = await rig(async () => undefined, { ...shared, tools: [pay] })
    await here.ended('run_1')
    await asked

    expect(seen).toContain('run.resumed')
  })

  it('of an agent that is here no more fail, and hold up nothing', async () => {
    const shared = await left([step.started], { agent: 'gone' })
    const here = await rig(async () => undefined, shared)

    expect((await here.ended('run_1')).at(-1)).toMatchObject({
      type: 'run.failed',
      failure: { code: 'unavailable' },
    })
  })

  it('between our look and our claim are gone on with, and their tools not run again', async () => {
    const { ran, tools } = counted()
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const { store } = shared
    await store.create(newRun('run_1'), 'reject')
    const late: Store = {
      ...store,
      claim: async (runId, owner) => {
        // Another process claims it, begins a tool, and dies, just before we do.
        if (owner !== dead && (await store.get(runId))?.epoch === 0) {
          await store.claim(runId, dead)
          await store.append(runId, [step.started, called(1, 'write'), executing(1)])
        }
        return store.claim(runId, owner)
      },
    }

    const here = await rig(async () => undefined, { ...shared, store: late, tools })

    expect(await here.ended('run_1')).toContainEqual(
      expect.objectContaining({
        type: 'tool.failed',
        failure: expect.objectContaining({ code: 'outcome-unknown' }),
      }),
    )
    expect(ran).toEqual([])
  })

  it('are let go where the store cannot write, and gone on with by this very process once it can', async () => {
    const kept = memoryStore()
    let full = false
    const store: Store = {
      ...kept,
      append: (...args) =>
        full ? Promise.reject(new ServiceError('unavailable', 'The disk is full.')) : kept.append(...args),
    }
    const more = Promise.withResolvers<void>()
    const here = await rig(
      async (job, host) => {
        if (job.soFar) return
        await host.emit(step.started)
        await more.promise
        await host.emit({ type: 'text.started', partId: 't' })
        await untilAborted(host)
        full = false
      },
      { store },
    )
    const { id } = (await here.runs.start(request)).run
    await here.said(id, 'step.started')

    full = true
    more.resolve()

    expect((await here.types(id)).slice(-3)).toEqual(['run.resumed', 'step.finished', 'run.finished'])
    expect(here.letGo).toEqual([id])
  })
})
