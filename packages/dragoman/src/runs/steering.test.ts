import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, toolResult, type AgentEngine } from '../agents/index.ts'
import { textOf } from '../events/index.ts'
import { request, harnesses, step, untilAborted } from './harness.fixture.ts'

describe('a steering message while a question is open', () => {
  const harness = harnesses()
  const ran: string[] = []
  const gate = { opened: Promise.withResolvers<void>() }
  const tools = [
    defineTool({
      name: 'pay',
      description: 'Pays.',
      inputSchema: z.object({}),
      needsApproval: true,
      execute: async () => {
        ran.push('pay')
        return toolResult({ output: null, text: 'paid' })
      },
    }),
    defineTool({
      name: 'look',
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: async () => {
        await gate.opened.promise
        return toolResult({ output: null, text: 'looked' })
      },
    }),
  ]
  const texts: string[] = []
  /** Calls both tools at once, then says what became of them, and hears. */
  const engine: AgentEngine['run'] = async (_job, host) => {
    await host.emit(step.started)
    const calls = ['pay', 'look'].map(async (tool) => {
      await host.emit({ type: 'tool.called', callId: tool, tool, input: {} })
      return host.call({ callId: tool, tool, input: { value: {} } })
    })
    await Promise.resolve()
    const closed = host.emit(step.finished)
    const outcomes = await Promise.race([Promise.all(calls), untilAborted(host)])
    await closed
    if (!outcomes) return
    texts.push(...outcomes.map(({ text }) => text), ...(await host.takeUserMessages()).map(textOf))
    await host.emit(step.started)
    await host.emit(step.finished)
  }
  const asking = async () => {
    gate.opened = Promise.withResolvers()
    texts.length = 0
    ran.length = 0
    const here = await harness(engine, { tools })
    const { run } = await here.runs.start({ ...request, thread: 'chat' })
    await here.said(run.id, 'tool.asked')
    return { here, run }
  }
  const steer = { ...request, thread: 'chat', policy: 'steer' } as const

  it('replaces the answer once no other call is at work', async () => {
    const { here, run } = await asking()

    const { joined } = await here.runs.start(steer)
    gate.opened.resolve()

    const events = await here.ended(run.id)
    expect(joined).toBeDefined()
    expect(events.filter(({ type }) => type === 'run.waiting')).toEqual([])
    expect(events.filter((event) => event.type === 'tool.failed')).toMatchObject([
      { callId: `${run.id}.1`, failure: { code: 'unanswered' } },
    ])
    expect(events.at(-1)?.type).toBe('run.finished')
    expect(texts).toEqual(['The user has said something else, and has not answered.', 'looked', 'hi'])
    await expect(
      here.runs.answer(run, { callId: `${run.id}.1`, answer: { kind: 'approval', approved: true } }, 'ada'),
    ).rejects.toMatchObject({ code: 'run-closed' })
    expect(ran).toEqual([])
  })

  it('does not revoke an answer', async () => {
    const { here, run } = await asking()
    const answer = { kind: 'approval', approved: true } as const

    await here.runs.start(steer)
    await here.runs.answer(run, { callId: `${run.id}.1`, answer }, 'ada')
    gate.opened.resolve()

    await here.ended(run.id)
    expect(texts).toEqual(['paid', 'looked', 'hi'])
    expect(ran).toEqual(['pay'])
  })
})
