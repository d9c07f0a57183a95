import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type AgentEngine } from '../agents/index.ts'
import { noModel } from '../agents/no-model.fixture.ts'
import type { Message } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import type { ResolvedAgent } from './ports.ts'
import { dead, request, harnesses, step, untilAborted } from './harness.fixture.ts'

const agent: ResolvedAgent['agent'] = {
  id: 'dice',
  name: 'Detached',
  description: 'Is handed over.',
  instructions: 'You are detached.',
  runInstructions: () => 'In a folder.',
  engine: 'handed-over',
  model: { primary: 'theirs', fallback: 'theirs' },
  maxSteps: 3,
  tools: [],
}

/** An agent that a caller hands over, with an engine of the test's own. */
function agentOf(run: AgentEngine['run'], tools: ResolvedAgent['agent']['tools'] = []): ResolvedAgent {
  return { agent: { ...agent, tools }, model: () => noModel, engine: { name: 'handed-over', run } }
}

const never: AgentEngine['run'] = () => Promise.reject(new Error('The usual engine was asked.'))

describe('a detached run', () => {
  const harness = harnesses()
  it('is driven by the agent that is handed over, which reads the past messages', async () => {
    const { runs, ended, store } = await harness(never)
    const past: Message[] = [
      { role: 'user', id: 'past.0', parts: [{ type: 'text', text: 'before' }] },
      {
        role: 'assistant',
        id: 'past.1',
        status: 'finished',
        parts: [
          {
            type: 'tool',
            callId: 'c1',
            tool: 'look',
            state: 'returned',
            inputText: '',
            input: {},
            output: 1,
          },
        ],
      },
    ]
    const inputs: unknown[] = []
    const { run } = await runs.startDetached(
      agentOf(async (job) => void inputs.push([job.agent.instructions, job.history.map(({ id }) => id)])),
      { ...request, history: past },
    )

    expect((await ended(run.id)).at(-1)).toMatchObject({ type: 'run.finished' })
    expect(inputs).toEqual([
      ['You are detached.\n\nIn a folder.', ['past.0', 'past.1', run.request.messageId]],
    ])
    expect(run.threadId).toMatch(/^once_[\w-]{12}$/)
    expect(run).toMatchObject({ onCrash: 'fail', request: { history: past } })
    expect(await store.get(run.id)).toMatchObject({ status: 'finished' })
  })

  it('runs beside any number of others', async () => {
    const { runs, types } = await harness(never)
    const gates = Array.from({ length: 5 }, () => Promise.withResolvers<void>())
    const all = await Promise.all(
      gates.map(({ promise }) =>
        runs.startDetached(
          agentOf(() => promise),
          request,
        ),
      ),
    )

    expect(new Set(all.map(({ run }) => run.threadId)).size).toBe(5)
    for (const [index, { run }] of all.entries()) {
      gates[index]?.resolve()
      expect((await types(run.id)).at(-1)).toBe('run.finished')
    }
  })

  it('fails a call that needs an approval or the client, with the reason', async () => {
    const risky = defineTool({
      name: 'risky',
      description: 'Needs a yes.',
      inputSchema: z.object({}),
      needsApproval: true,
      execute: async () => toolResult({ output: null, text: 'done' }),
    })
    const { runs, ended } = await harness(never)
    const texts: string[] = []
    const asking = agentOf(
      async (_job, host) => {
        await host.emit(step.started)
        for (const tool of ['risky', 'pick']) {
          await host.emit({ type: 'tool.called', callId: tool, tool, input: {} })
          texts.push((await host.call({ callId: tool, tool, input: { value: {} } })).text)
        }
        await host.emit(step.finished)
      },
      [risky],
    )
    const tools = [{ name: 'pick', description: 'The page picks.', inputSchema: { type: 'object' } }]
    const { run } = await runs.startDetached(asking, { ...request, tools })
    const events = await ended(run.id)

    expect(texts).toEqual(
      ['risky', 'pick'].map((tool) => `${tool} needs its user’s answer, and this run cannot ask.`),
    )
    expect(events.filter(({ type }) => type === 'tool.failed')).toHaveLength(2)
    expect(events.map(({ type }) => type)).not.toContain('tool.asked')
    expect(events.at(-1)?.type).toBe('run.finished')
  })

  it('fails if its process has died, and asks no other model', async () => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const first = await harness(never, shared)
    const { run } = await first.runs.startDetached(
      agentOf(async () => undefined),
      request,
    )
    await first.ended(run.id)
    const { status: _status, epoch: _epoch, lastSeq: _last, createdAt: _at, pruned: _pruned, ...asked } = run
    const crashed = { ...asked, id: 'run_crashed', threadId: 'once_crashed', messageId: 'msg_crashed' }
    await shared.store.create(crashed, 'reject', dead)
    await shared.store.append('run_crashed', [step.started])

    const next = await harness(never, shared)

    const events = await next.ended('run_crashed')
    expect(events.at(-1)).toMatchObject({ type: 'run.failed', failure: { code: 'interrupted' } })
    expect([...first.reports, ...next.reports]).toEqual([])
  })

  it('fails if its process closes, and ends once it is abandoned', async () => {
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const here = await harness(never, shared)
    const there = await harness(never, shared)
    const waits = (): ResolvedAgent => agentOf((_job, host) => untilAborted(host))
    const [one, other] = await Promise.all([
      here.runs.startDetached(waits(), request),
      here.runs.startDetached(waits(), request),
    ])

    here.runs.abandon(one.run, 'ada')
    expect((await here.ended(one.run.id)).at(-1)).toMatchObject({ type: 'run.cancelled', by: 'ada' })
    await here.runs.close()
    expect((await there.ended(other.run.id)).at(-1)).toMatchObject({ failure: { code: 'interrupted' } })
  })

  it('differs from a run in a thread, which takes past messages as texts', async () => {
    const { runs } = await harness(async () => undefined)
    const past: Message[] = [
      { role: 'user', id: 'past.0', parts: [{ type: 'text', text: 'before' }] },
      {
        role: 'assistant',
        id: 'past.1',
        status: 'finished',
        parts: [{ type: 'text', partId: 'p', text: 'yes', open: false }],
      },
    ]
    const { run } = await runs.start({ ...request, history: past })

    expect(run.request.history?.map(({ role, id }) => [role, id.slice(0, 4)])).toEqual([
      ['user', 'msg_'],
      ['assistant', 'msg_'],
    ])
  })
})
