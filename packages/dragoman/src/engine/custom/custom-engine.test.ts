import { describe, expect, it } from 'vitest'
import { z } from 'zod'

import { defineTool } from '../../agents/index.ts'
import type { RunEvent } from '../../events/index.ts'
import { request, harnesses } from '../../runs/harness.fixture.ts'
import { customEngine, type CustomJob, type CustomPart, type CustomStream } from './index.ts'

describe('a custom engine', () => {
  const open = harnesses()
  const ran: string[] = []
  const roll = (needsApproval: boolean) =>
    defineTool({
      name: 'roll',
      description: 'Rolls one die.',
      inputSchema: z.object({ sides: z.int() }),
      needsApproval,
      execute: ({ sides }) => {
        ran.push(`roll ${sides}`)
        return sides
      },
    })
  /** Starts a run of an agent whose engine this is. */
  const start = async (
    stream: (job: CustomJob) => CustomStream | Promise<CustomStream>,
    more: Parameters<typeof open>[1] = {},
  ) => {
    ran.length = 0
    const harness = await open(customEngine(stream, { name: 'test' }).run, { tools: [roll(false)], ...more })
    const { run } = await harness.runs.start({ ...request, thread: 'chat' })
    return { ...harness, run }
  }
  const textsOf = (events: readonly RunEvent[]) =>
    events.flatMap((event) => (event.type === 'text.delta' ? [event.delta] : [])).join('')

  it('writes its output as one step', async () => {
    const parts: CustomPart[] = [
      { type: 'reasoning', text: 'Hm.' },
      'Hel',
      { type: 'text', text: 'lo.' },
      { type: 'data', name: 'card', value: { n: 1 } },
      { type: 'usage', inputTokens: 5, outputTokens: 2 },
    ]
    const { run, ended, types } = await start(() => parts)
    const events = await ended(run.id)

    expect(await types(run.id)).toEqual([
      'run.started',
      'step.started',
      'reasoning.started',
      'reasoning.delta',
      'reasoning.ended',
      'text.started',
      'text.delta',
      'data',
      'text.ended',
      'step.finished',
      'run.finished',
    ])
    expect(textsOf(events)).toBe('Hello.')
    expect(events.at(-1)).toMatchObject({ reason: 'stop', usage: { inputTokens: 5, outputTokens: 2 } })
  })

  it('gets the instructions and the conversation as text', async () => {
    const jobs: CustomJob[] = []
    const { run, ended } = await start((job) => {
      jobs.push(job)
      return ['Hello.']
    })
    await ended(run.id)

    expect(jobs).toMatchObject([
      { instructions: 'You are tested.', messages: [{ role: 'user', content: 'hi' }], userId: 'ada' },
    ])
    expect(jobs[0]?.partialAnswer).toBeUndefined()
  })

  it('calls tools, several at once, and writes each group as a step of its own', async () => {
    const { run, ended, types } = await start(async function* ({ callTool }) {
      yield 'Rolling. '
      const [first, second] = await Promise.all([
        callTool('roll', { sides: 6 }),
        callTool('roll', { sides: 8 }),
      ])
      const third = await callTool('roll', { sides: 1.5 })
      yield `${first.text} ${second.text} ${third.ok}`
    })
    const events = await ended(run.id)

    expect(textsOf(events)).toBe('Rolling. 6 8 false')
    expect(ran.toSorted()).toEqual(['roll 6', 'roll 8'])
    const all = await types(run.id)
    expect(all.filter((type) => type === 'step.started')).toHaveLength(3)
    expect(all.filter((type) => type === 'tool.called')).toHaveLength(3)
  })

  it('continues after an approval without repeating a call', async () => {
    let turns = 0
    const { runs, run, said, ended } = await start(
      async function* ({ callTool, partialAnswer }) {
        turns += 1
        const free = await callTool('free', {})
        const rolled = await callTool('roll', { sides: 6 })
        yield `${free.text} ${rolled.text} ${partialAnswer !== undefined}`
      },
      {
        tools: [
          roll(true),
          defineTool({
            name: 'free',
            description: 'Needs no approval.',
            inputSchema: z.object({}),
            execute: () => {
              ran.push('free')
              return 'free'
            },
          }),
        ],
      },
    )
    await said(run.id, 'run.waiting')
    const structure = JSON.stringify(await runs.structure(run))
    const [, callId = ''] = /"tool.asked","callId":"([^"]+)"/.exec(structure) ?? []
    await runs.answer(run, { callId, answer: { kind: 'approval', approved: true } }, 'ada')

    expect(textsOf(await ended(run.id))).toBe('free 6 true')
    expect(ran).toEqual(['free', 'roll 6'])
    expect(turns).toBe(2)
  })

  it('ends at a stop, whatever it is doing', async () => {
    let isClosed = false
    const { runs, run, said, ended } = await start(async function* ({ signal }) {
      try {
        yield 'Counting'
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        yield ' on'
      } finally {
        isClosed = true
      }
    })
    await said(run.id, 'Counting')
    await runs.stop(run, 'ada')

    expect((await ended(run.id)).at(-1)).toMatchObject({ type: 'run.cancelled' })
    await expect.poll(() => isClosed).toBe(true)
  })

  it('runs again for a user message that arrives during the run', async () => {
    const userMessage = Promise.withResolvers<void>()
    const texts: string[] = []
    const { runs, run, said, ended } = await start(async function* ({ messages }) {
      texts.push(messages.map(({ content }) => content).join('|'))
      if (texts.length === 1) {
        yield 'One.'
        await userMessage.promise
        return
      }
      yield 'Two.'
    })
    await said(run.id, 'One.')
    const message = { parts: [{ type: 'text', text: 'more' } as const] }
    await runs.start({ ...request, thread: 'chat', policy: 'steer', message })
    userMessage.resolve()

    expect(textsOf(await ended(run.id))).toBe('One.Two.')
    expect(texts).toEqual(['hi', 'hi|One.|more'])
  })

  it('runs again for a correction of the guardrail', async () => {
    const texts: string[] = []
    const { run, ended } = await start(
      ({ messages }) => {
        texts.push(messages.at(-1)?.content ?? '')
        return [texts.length === 1 ? 'Wrong.' : 'Right.']
      },
      { outputGuardrail: async () => 'That is wrong.' },
    )

    expect(textsOf(await ended(run.id))).toBe('Wrong.Right.')
    expect(texts).toEqual(['hi', expect.stringContaining('That is wrong.')])
  })

  it('stops at the maximum number of steps', async () => {
    const { run, ended } = await start(
      async function* ({ callTool }) {
        for (let sides = 2; ; sides++) yield (await callTool('roll', { sides })).text
      },
      { maxSteps: 3 },
    )
    const events = await ended(run.id)

    expect(ran).toEqual(['roll 2', 'roll 3', 'roll 4'])
    expect(events.at(-1)).toMatchObject({ type: 'run.finished', reason: 'step-limit' })
  })

  it.each([
    ['an error', () => Promise.reject(new Error('secret')), 'internal'],
    ['a number', async () => [1 as unknown as CustomPart], 'internal'],
  ])('fails with %s without showing its message', async (_name, stream, code) => {
    const { run, ended, reports } = await start(stream)
    const last = (await ended(run.id)).at(-1)

    expect(last).toMatchObject({ type: 'run.failed', failure: { code } })
    expect(JSON.stringify(last)).not.toContain('secret')
    expect(reports).toHaveLength(1)
  })

  it('writes an empty step if it yields nothing', async () => {
    const { run, ended, types } = await start(() => [])
    await ended(run.id)

    expect(await types(run.id)).toEqual(['run.started', 'step.started', 'step.finished', 'run.finished'])
  })
})
