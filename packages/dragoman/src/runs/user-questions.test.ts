import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool, type UserQuestion } from '../agents/index.ts'
import type { Answer, Json } from '../events/index.ts'
import { memoryNotifier, memoryStore } from '../stores/memory/index.ts'
import { calling } from './calling.fixture.ts'
import { dead, harnesses, request } from './harness.fixture.ts'
import { newRun } from '../log/store-claims.contract.ts'

const form = (output: Json): Answer => ({ kind: 'form', output })

describe('the questions of a tool to its user', () => {
  const harness = harnesses()
  const starts: Json[] = []
  const bookWith = (more: Pick<UserQuestion, 'inPlace'> = {}) =>
    defineTool({
      name: 'book',
      description: 'Books.',
      inputSchema: z.object({ n: z.number() }),
      async execute({ n }, { ask }) {
        starts.push(n)
        const { time } = await ask({
          message: 'When?',
          schema: z.object({ time: z.string().min(2) }),
          ...more,
        })
        const name = await ask<string>({ message: 'Who?', schema: { type: 'string' }, ...more })
        return `${n} at ${time} for ${name}`
      },
    })
  const open = async (more?: Pick<UserQuestion, 'inPlace'>, until = 'run.waiting') => {
    starts.length = 0
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    const here = await harness(calling('book'), { ...shared, tools: [bookWith(more)] })
    const { run } = await here.runs.start({ ...request, thread: 'chat' })
    await here.said(run.id, until)
    const answer = (reply: Answer) => here.runs.answer(run, { callId: `${run.id}.1`, answer: reply }, 'ada')
    const last = async () =>
      (await here.ended(run.id)).flatMap((event) => ('delta' in event ? [event.delta] : [])).at(-1)
    return { here, run, answer, last }
  }

  it('release the run, and begin the tool again with what was answered', async () => {
    const { here, run, answer, last } = await open()
    expect((await here.store.get(run.id))?.status).toBe('waiting')
    await answer(form({ time: '18:00' }))
    await here.said(run.id, 'Who?')
    await answer(form('Ada'))

    expect(await last()).toBe('returned: 0 at 18:00 for Ada')
    expect(starts).toEqual([0, 0, 0])
    const types = (await here.types(run.id)).filter((type) => type.startsWith('tool.'))
    expect(types.slice(0, 5)).toEqual([
      'tool.called',
      'tool.executing',
      'tool.asked',
      'tool.answered',
      'tool.executing',
    ])
  })

  it('take what fits their schema alone, and are declined by a no', async () => {
    const { answer, last } = await open()
    await expect(answer(form({ time: 7 }))).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('time'),
    })
    await expect(answer({ kind: 'approval', approved: true })).rejects.toMatchObject({
      code: 'invalid-request',
    })
    await answer({ kind: 'approval', approved: false, reason: 'no table' })

    expect(await last()).toBe('failed: The user declined to answer: no table')
  })

  it('are taken as the output of a tool, too', async () => {
    const { here, run, answer, last } = await open()
    await answer({ kind: 'output', output: { time: '18:00' } })
    await here.said(run.id, 'Who?')
    await answer({ kind: 'error', message: 'Never mind.' })

    expect(await last()).toBe('failed: The user declined to answer: Never mind.')
  })

  it('wait in place where the tool cannot be called again', async () => {
    const { here, run, answer } = await open({ inPlace: true }, 'When?')
    expect((await here.store.get(run.id))?.status).toBe('running')
    await answer(form({ time: '18:00' }))
    await here.said(run.id, 'Who?')
    await answer(form('Ada'))

    const events = await here.ended(run.id)
    expect(events.map(({ type }) => type)).not.toContain('run.waiting')
    expect(events.find(({ type }) => type === 'tool.returned')).toMatchObject({ text: '0 at 18:00 for Ada' })
    expect(starts).toEqual([0])
  })

  it.each([
    [true, 'outcome-unknown'],
    [undefined, undefined],
  ] as const)('in place %s, of a process that has died', async (inPlace, code) => {
    starts.length = 0
    const shared = { store: memoryStore(), notifier: memoryNotifier() }
    await shared.store.alive(dead, 60_000)
    await shared.store.create(newRun('run_1'), 'reject', dead)
    const callId = 'run_1.1'
    const schema = { type: 'object' }
    await shared.store.append('run_1', [
      { type: 'step.started', model: 'm' },
      { type: 'tool.called', callId, tool: 'book', input: { n: 0 } },
      { type: 'step.finished', reason: 'tool-calls', usage: { inputTokens: 1, outputTokens: 1 } },
      { type: 'tool.executing', callId },
      {
        type: 'tool.asked',
        callId,
        question: { kind: 'form', message: 'When?', schema, ...(inPlace && { inPlace }) },
      },
      { type: 'tool.answered', callId, answer: form({ time: '18:00' }), by: 'ada' },
    ])
    await shared.store.alive(dead, 0)
    const here = await harness(calling('book'), { ...shared, tools: [bookWith()] })
    await here.said('run_1', code ?? 'Who?')

    expect(starts).toEqual(code === undefined ? [0] : [])
  })
})
