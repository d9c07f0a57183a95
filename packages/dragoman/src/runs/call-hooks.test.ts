import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import {
  defineTool,
  toolResult,
  type Tool,
  type AgentEngine,
  type CallHooks,
  type ToolOutcome,
} from '../agents/index.ts'
import type { Answer, RunEvent } from '../events/index.ts'
import { newRun } from '../log/store-claims.contract.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { called, dead, request, harnesses, step } from './harness.fixture.ts'

const never = (): Promise<never> => new Promise(() => undefined)
const hooks = (overrides: Partial<CallHooks>): CallHooks => ({
  before: async () => undefined,
  after: async () => undefined,
  ...overrides,
})
const masked: CallHooks['after'] = async (_call, { ok }) => ({ ok, output: { masked: true }, text: 'masked' })

describe('call hooks of an engine', () => {
  const harness = harnesses()
  const ran: number[] = []
  const tool = (more: Partial<Parameters<typeof defineTool>[0]> = {}): Tool =>
    defineTool({
      name: 'act',
      description: 'Acts.',
      inputSchema: z.object({ n: z.number() }),
      execute: async (input) => {
        ran.push((input as { n: number }).n)
        return toolResult({ output: { secret: 'sesame' }, text: 'The word is sesame.' })
      },
      ...more,
    })
  /** Calls `act` once, under these hooks. */
  const calling =
    (its: CallHooks, outcomes: ToolOutcome[] = [], name = 'act'): AgentEngine['run'] =>
    async (job, host) => {
      if (job.partialAnswer) return
      await host.emit(step.started)
      await host.emit({ type: 'tool.called', callId: 'c', tool: name, input: { n: 1 } })
      const outcome = host.call({ callId: 'c', tool: name, input: { value: { n: 1 } } }, its)
      const closed = host.emit(step.finished)
      outcomes.push(await outcome)
      await closed
    }
  const play = async (engine: AgentEngine['run'], tools = [tool()]) => {
    ran.length = 0
    const made = await harness(engine, { tools })
    const { run } = await made.runs.start(request)
    return { made, run, events: () => made.ended(run.id) }
  }
  const outcomeIn = (events: readonly RunEvent[]) =>
    events.find(({ type }) => type === 'tool.failed' || type === 'tool.returned')

  it('refuse a call before it runs, with the reason in the log', async () => {
    const outcomes: ToolOutcome[] = []
    const { events } = await play(calling(hooks({ before: async () => 'Not on Sundays.' }), outcomes))

    const log = await events()

    expect(outcomeIn(log)).toMatchObject({ failure: { code: 'denied', message: 'Not on Sundays.' } })
    expect(log.map(({ type }) => type)).not.toContain('tool.executing')
    expect(ran).toEqual([])
    expect(outcomes).toEqual([{ ok: false, output: null, text: 'Not on Sundays.', code: 'denied' }])
  })

  it('refuse a call before its user is asked', async () => {
    const its = hooks({ before: async () => 'No.' })
    const { events } = await play(calling(its), [tool({ needsApproval: true })])

    expect((await events()).map(({ type }) => type)).not.toContain('tool.asked')
  })

  it('change an outcome before it is recorded', async () => {
    const outcomes: ToolOutcome[] = []
    const { events } = await play(calling(hooks({ after: masked }), outcomes))

    const log = await events()

    expect(outcomeIn(log)).toMatchObject({ output: { masked: true }, text: 'masked' })
    expect(JSON.stringify(log)).not.toContain('sesame')
    expect(outcomes).toEqual([{ ok: true, output: { masked: true }, text: 'masked' }])
  })

  it('keep the code of a failure whose message they change', async () => {
    const late = tool({ execute: never, timeoutMs: 10 })
    const { events } = await play(calling(hooks({ after: masked })), [late])

    expect(outcomeIn(await events())).toMatchObject({
      failure: { code: 'outcome-unknown', message: 'masked' },
    })
  })

  it('turn a success into a failure', async () => {
    const after: CallHooks['after'] = async () => ({ ok: false, output: null, text: 'Too long.' })
    const { events } = await play(calling(hooks({ after })))

    expect(outcomeIn(await events())).toMatchObject({
      failure: { code: 'tool-failed', message: 'Too long.' },
    })
  })

  it('do not see a call that the host refuses', async () => {
    const outputs: string[] = []
    const its = hooks({
      before: async (call) => void outputs.push(call.tool),
      after: async (call) => void outputs.push(call.tool),
    })
    const { events } = await play(calling(its, [], 'nonesuch'))

    expect(outcomeIn(await events())).toMatchObject({ failure: { code: 'unknown-tool' } })
    expect(outputs).toEqual([])
  })

  it.each(['before', 'after'] as const)('fail a call whose hook `%s` throws', async (hook) => {
    const its = hooks({ [hook]: () => Promise.reject(new Error('The filter broke.')) })
    const { made, events } = await play(calling(its))

    const log = await events()

    expect(outcomeIn(log)).toMatchObject({ failure: { code: 'tool-failed', message: 'The filter broke.' } })
    expect(JSON.stringify(log)).not.toContain('sesame')
    expect(ran).toEqual(hook === 'before' ? [] : [1])
    expect(made.reports).toHaveLength(1)
  })

  it.each(['before', 'after'] as const)('do not delay a stop while `%s` is at work', async (hook) => {
    const started = Promise.withResolvers<void>()
    const its = hooks({ [hook]: () => (started.resolve(), never()) })
    const { made, run, events } = await play(calling(its))
    await started.promise
    await made.runs.stop(run, 'ada')

    const log = await events()

    expect(log.at(-1)).toMatchObject({ type: 'run.cancelled' })
    expect(outcomeIn(log)).toMatchObject({ type: 'tool.failed' })
    expect(JSON.stringify(log)).not.toContain('sesame')
  })

  it('fail a call whose engine throws while the hook is at work', async () => {
    const { events } = await play(async (_job, host) => {
      await host.emit(step.started)
      await host.emit({ type: 'tool.called', callId: 'c', tool: 'act', input: { n: 1 } })
      const call = { callId: 'c', tool: 'act', input: { value: { n: 1 } } }
      void host.call(call, hooks({ before: never }))
      await new Promise(setImmediate)
      throw new Error('The model is gone.')
    })

    const log = await events()

    expect(outcomeIn(log)).toMatchObject({ failure: { code: 'interrupted' } })
    expect(log.at(-1)).toMatchObject({ type: 'run.failed' })
    expect(ran).toEqual([])
  })

  it('see a call that did not begin before a crash', async () => {
    ran.length = 0
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.alive(dead, 60_000)
    await shared.store.create(newRun('run_1'), 'reject', dead)
    await shared.store.append('run_1', [step.started, called(1, 'act'), called(2, 'act')])
    const before: CallHooks['before'] = async ({ callId }) => (callId === 'run_1.1' ? 'No.' : undefined)

    const here = await harness(async () => undefined, {
      ...shared,
      tools: [tool()],
      hooks: hooks({ before, after: masked }),
    })
    const log = await here.ended('run_1')

    expect(log).toContainEqual(expect.objectContaining({ type: 'tool.failed', callId: 'run_1.1' }))
    expect(log).toContainEqual(
      expect.objectContaining({ type: 'tool.returned', callId: 'run_1.2', text: 'masked' }),
    )
    expect(ran).toEqual([2])
  })

  it('see the outcome of a call that was approved after its engine was gone', async () => {
    const yes: Answer = { kind: 'approval', approved: true }
    const made = await harness(calling(hooks({})), {
      tools: [tool({ needsApproval: true })],
      hooks: hooks({ after: masked }),
    })
    const { run } = await made.runs.start(request)
    await made.said(run.id, 'run.waiting')
    await made.runs.answer(run, { callId: `${run.id}.1`, answer: yes }, 'ada')

    const log = await made.ended(run.id)

    expect(outcomeIn(log)).toMatchObject({ type: 'tool.returned', text: 'masked' })
    expect(JSON.stringify(log)).not.toContain('sesame')
  })
})
