import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type AgentEngine, type EngineHost } from '../agents/index.ts'
import { noModel } from '../agents/no-model.fixture.ts'
import type { RunEvent } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { dead, harnesses, request, step, type RunsHarness } from './harness.fixture.ts'
import type { ResolvedAgent } from './ports.ts'

const asking = { ...request, mayAsk: true } as const
const yes = { kind: 'approval', approved: true } as const
const never: AgentEngine['run'] = () => Promise.reject(new Error('The usual engine was asked.'))

const risky = defineTool({
  name: 'risky',
  description: 'Needs a yes.',
  inputSchema: z.object({}),
  needsApproval: true,
  execute: () => 'done',
})

function agentOf(run: AgentEngine['run']): ResolvedAgent {
  return {
    agent: {
      id: 'dice',
      name: 'Detached',
      description: 'Is handed over.',
      instructions: '',
      engine: 'handed-over',
      maxSteps: 3,
      tools: [risky],
    },
    model: () => noModel,
    engine: { name: 'handed-over', run },
  }
}

/** One step with as many calls as texts are to be read. */
const callsRisky =
  (texts: string[], count = 1): AgentEngine['run'] =>
  async (_job, host) => {
    await host.emit(step.started)
    const ids = Array.from({ length: count }, (_, at) => `c${at}`)
    for (const callId of ids) await host.emit({ type: 'tool.called', callId, tool: 'risky', input: {} })
    const calls = ids.map((callId) => callRisky(host, callId, texts))
    await host.emit(step.finished)
    await Promise.all(calls)
  }

async function callRisky(host: EngineHost, callId: string, texts: string[]): Promise<void> {
  texts.push((await host.call({ callId, tool: 'risky', input: { value: {} } })).text)
}

describe('a detached run that may ask', () => {
  const harness = harnesses()
  const open = async ({ questions }: RunsHarness, count = 1) => {
    await expect.poll(async () => (await questions.list('ada', { limit: 10 })).questions.length).toBe(count)
    return (await questions.list('ada', { limit: 10 })).questions
  }

  it('lists its question, waits where it is driven, and goes on after the answer', async () => {
    const here = await harness(never)
    const texts: string[] = []
    const { run } = await here.runs.startDetached(agentOf(callsRisky(texts)), asking)

    const [question] = await open(here)
    expect(question).toMatchObject({ runId: run.id, tool: 'risky', kind: 'approval', agent: 'dice' })
    expect(await here.store.get(run.id)).toMatchObject({ status: 'running' })
    await here.runs.answer(run, { callId: question?.callId ?? '', answer: yes }, 'ada')

    const types = (await here.ended(run.id)).map(({ type }) => type)
    expect(types.slice(2)).toEqual([
      'tool.called',
      'tool.asked',
      'tool.answered',
      'tool.executing',
      'tool.returned',
      'step.finished',
      'run.finished',
    ])
    expect(texts).toEqual(['done'])
    await open(here, 0)
  })

  it('asks for several calls, each by itself, and fails those that are denied', async () => {
    const here = await harness(never)
    const texts: string[] = []
    const { run } = await here.runs.startDetached(agentOf(callsRisky(texts, 2)), asking)

    const [one, other] = await open(here, 2)
    const no = { kind: 'approval', approved: false, reason: 'not now' } as const
    await here.runs.answer(run, { callId: one?.callId ?? '', answer: no }, 'ada')
    await open(here, 1)
    await here.runs.answer(run, { callId: other?.callId ?? '', answer: yes }, 'ada')

    expect((await here.ended(run.id)).at(-1)).toMatchObject({ type: 'run.finished' })
    expect(texts.toSorted()).toEqual(['The user did not allow risky: not now', 'done'])
  })

  it('fails a call of which the time to answer is over', async () => {
    const here = await harness(never, { answerWithin: 0.05 })
    const texts: string[] = []
    const { run } = await here.runs.startDetached(agentOf(callsRisky(texts)), asking)

    const failed = (await here.ended(run.id)).find(({ type }) => type === 'tool.failed')
    expect(failed).toMatchObject({ failure: { code: 'expired' } })
    expect(texts).toEqual(['The time to answer risky is over.'])
  })

  it('does not count the wait as work', async () => {
    const here = await harness(never, { runSeconds: 0.3, answerWithin: 0.7 })
    const { run } = await here.runs.startDetached(agentOf(callsRisky([])), asking)

    expect((await here.ended(run.id)).at(-1)).toMatchObject({ type: 'run.finished' })
  })

  it('ends with its caller while it waits', async () => {
    const here = await harness(never)
    const { run } = await here.runs.startDetached(agentOf(callsRisky([])), asking)
    await open(here)

    here.runs.abandon(run, 'ada')

    const events: RunEvent[] = await here.ended(run.id)
    expect(events.at(-1)).toMatchObject({ type: 'run.cancelled' })
    expect(events.find(({ type }) => type === 'tool.failed')).toMatchObject({
      failure: { code: 'unanswered' },
    })
    await open(here, 0)
  })

  it('leaves no question behind if its process dies', async () => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const first = await harness(never, shared)
    const { run } = await first.runs.startDetached(agentOf(callsRisky([])), asking)
    await open(first)
    first.runs.abandon(run, 'ada')
    await first.ended(run.id)
    await first.runs.close()
    const { status: _s, epoch: _e, lastSeq: _l, createdAt: _c, pruned: _p, crashes: _r, ...asked } = run
    const crashed = { ...asked, id: 'run_crashed', threadId: 'once_crashed', messageId: 'msg_crashed' }
    const next = await harness(never, shared)
    const question = { callId: 'run_crashed.1', tool: 'risky', input: {}, kind: 'approval' } as const
    await next.questions.open(crashed, { ...question, askedAt: Date.now(), expiresAt: Date.now() + 60_000 })
    await shared.store.create(crashed, 'reject', dead)
    await shared.store.append('run_crashed', [step.started])

    expect((await next.ended('run_crashed')).at(-1)).toMatchObject({ failure: { code: 'interrupted' } })
    await open(next, 0)
  })
})
