import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult } from '../agents/index.ts'
import type { Answer, ClientTool, Json } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { calling } from './calling.fixture.ts'
import { request, harnesses, type RunsHarness } from './harness.fixture.ts'

const yes: Answer = { kind: 'approval', approved: true }
const no: Answer = { kind: 'approval', approved: false, reason: 'too dear' }

describe('questions', () => {
  const harness = harnesses()
  const ran: Json[] = []
  const tool = (name: string, more: Partial<Parameters<typeof defineTool>[0]> = {}) =>
    defineTool({
      name,
      description: name,
      inputSchema: z.object({ n: z.number() }),
      execute: async ({ n }) => {
        ran.push(name)
        return toolResult({ output: n, text: `${name} done` })
      },
      ...more,
    })
  const pay = tool('pay', { needsApproval: true })
  const cheap = tool('cheap', { needsApproval: (input) => (input as { n: number }).n > 5 })
  const brief = tool('brief', { needsApproval: true, answerWithinMs: 1 })
  const theirs: ClientTool = {
    name: 'locate',
    description: 'Where the user is.',
    inputSchema: { type: 'object' },
  }

  /** A run whose engine has called these, and waits. */
  const waiting = async (tools: readonly string[], shared = fresh()) => {
    ran.length = 0
    const here = await harness(calling(...tools), { ...shared, tools: [pay, cheap, brief, tool('look')] })
    const { run } = await here.runs.start({ ...request, thread: 'chat', tools: [theirs] })
    await here.said(run.id, 'run.waiting')
    return {
      here,
      run,
      call: (n: number) => `${run.id}.${n}`,
      ask: (n: number, answer: Answer) => here.runs.answer(run, { callId: `${run.id}.${n}`, answer }, 'ada'),
    }
  }
  const fresh = () => ({ store: memoryStore(), notifier: memoryNotifier() })
  const lastWords = async (here: RunsHarness, id: string) => {
    const events = await here.ended(id)
    return events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : [])).at(-1)
  }

  it('suspend the run, and the answer resumes it, in one log', async () => {
    const { here, run, ask } = await waiting(['pay', 'look'])
    expect(ran).toEqual(['look'])
    expect((await here.store.get(run.id))?.status).toBe('waiting')

    await ask(1, yes)

    expect(await here.types(run.id)).toEqual([
      'run.started',
      'step.started',
      'tool.called',
      'tool.called',
      'tool.executing',
      'tool.asked',
      'tool.returned',
      'step.finished',
      'run.waiting',
      'tool.answered',
      'run.resumed',
      'tool.executing',
      'tool.returned',
      'step.started',
      'text.started',
      'text.delta',
      'text.ended',
      'step.finished',
      'run.finished',
    ])
    expect(await lastWords(here, run.id)).toBe('returned: pay done | returned: look done')
    expect(ran).toEqual(['look', 'pay'])
  })

  it('are asked only if the tool needs approval for this input', async () => {
    ran.length = 0
    const here = await harness(calling('cheap'), { ...fresh(), tools: [cheap] })
    const { run } = await here.runs.start(request)

    expect(await here.types(run.id)).not.toContain('tool.asked')
    expect(ran).toEqual(['cheap'])
  })

  it('fail a denied call, with the reason for the model', async () => {
    const { here, run, ask } = await waiting(['pay'])

    await ask(1, no)

    expect(await lastWords(here, run.id)).toBe('failed: The user did not allow pay: too dear')
    expect(ran).toEqual([])
  })

  it.each([
    [{ kind: 'output', output: { at: '北京' } }, 'returned: {"at":"北京"}'],
    [{ kind: 'output', output: 'here' }, 'returned: here'],
    [{ kind: 'error', message: 'no signal' }, 'failed: no signal'],
  ] as const)('of a tool of the client’s take %j', async (answer, words) => {
    const { here, run, ask } = await waiting(['locate'])

    await ask(1, answer)

    expect(await lastWords(here, run.id)).toBe(words)
  })

  it('take one answer, and refuse the second with the first', async () => {
    const { here, run, ask, call } = await waiting(['pay', 'pay'])
    const answers = await Promise.allSettled([ask(1, yes), ask(1, no), ask(1, yes)])

    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await expect(ask(1, no)).rejects.toMatchObject({
      code: 'already-answered',
      details: { callId: call(1), answer: { kind: 'approval' } },
    })
    await expect(ask(9, yes)).rejects.toMatchObject({ code: 'not-found' })
    await expect(ask(2, { kind: 'output', output: 'what?' })).rejects.toMatchObject({
      code: 'invalid-request',
    })
    await ask(2, { kind: 'output', output: { approved: true } })
    await here.ended(run.id)
    await expect(ask(2, yes)).rejects.toMatchObject({ code: 'already-answered' })
    expect(ran.filter((name) => name === 'pay').length).toBeLessThanOrEqual(2)
  })

  it('appear as a whole if only one of them is answered', async () => {
    const { here, run, ask, call } = await waiting(['pay', 'locate'])
    await ask(1, yes)

    const current = await here.runs.get('ada', run.id)
    const last = await here.runs.pause(current, new AbortController().signal)
    const message = await (await here.runs.snapshot(current, last)).read()

    expect(message).toMatchObject({
      status: 'waiting',
      parts: [{}, { callId: call(1), state: 'answered' }, { callId: call(2), state: 'asked' }],
    })
  })

  it('survive a crash, and are answered in another process', async () => {
    const shared = fresh()
    const { here, run, ask } = await waiting(['pay'], shared)
    await here.runs.close()
    const there = await harness(calling('pay'), { ...shared, tools: [pay] })

    await ask(1, yes)

    expect((await there.types(run.id)).at(-1)).toBe('run.finished')
    expect(ran).toEqual(['pay'])
  })

  it('fail their call once they expire', async () => {
    const { here, run, ask } = await waiting(['brief'])

    expect(await lastWords(here, run.id)).toContain('failed: The time to answer')
    await expect(ask(1, yes)).rejects.toMatchObject({ code: 'expired' })
    expect(ran).toEqual([])
  })

  it('keep an answered run alive if a message comes at that moment', async () => {
    const { here, run, ask } = await waiting(['pay'])
    const enqueued = { ...request, thread: 'chat', policy: 'enqueue' } as const

    const [, next] = await Promise.all([ask(1, yes), here.runs.start(enqueued)])

    const events = await here.ended(run.id)
    const stopped = events.some(({ type }) => type === 'run.stop-requested')
    const answered = events.findIndex(({ type }) => type === 'tool.answered')
    expect(stopped ? answered : ran).toEqual(stopped ? -1 : ['pay'])
    await here.said(next.run.id, 'step.started')
  })

  it('are closed by a stop and by the next message to the thread', async () => {
    const first = await waiting(['pay'])
    expect(await first.here.runs.stop(first.run, 'ada')).toBe(true)
    expect((await first.here.ended(first.run.id)).slice(-3)).toMatchObject([
      { type: 'run.stop-requested' },
      { type: 'tool.failed', failure: { code: 'unanswered' } },
      { type: 'run.cancelled' },
    ])
    await expect(first.ask(1, yes)).rejects.toMatchObject({ code: 'run-closed' })

    for (const policy of ['reject', 'enqueue', 'interrupt', 'steer'] as const) {
      const { here, run } = await waiting(['pay'])
      const next = await here.runs.start({ ...request, thread: 'chat', policy })
      expect((await here.types(run.id)).at(-1)).toBe('run.cancelled')
      expect(next.run.id).not.toBe(run.id)
      await here.said(next.run.id, 'step.started')
    }
    expect(ran).toEqual([])
  })

  it('take no answer once a stop was requested', async () => {
    const { here, run, ask } = await waiting(['pay', 'look', 'pay'])
    // As of a process that died before it could do more.
    await here.store.append(run.id, [{ type: 'run.stop-requested', by: 'ada' }])

    await expect(ask(1, yes)).rejects.toMatchObject({ code: 'run-closed' })
    expect((await here.types(run.id)).at(-1)).toBe('run.cancelled')
    expect(ran).toEqual(['look'])
  })
})
