import { describe, expect, it } from 'vitest'

import type { AgentEngine, EngineJob } from '../agents/index.ts'
import { CORRECTION, emptyMessage, textOf } from '../events/index.ts'
import type { StartRequest } from './ports.ts'
import { request, harnesses, step } from './harness.fixture.ts'

const words = (text: string): StartRequest['message'] => ({ parts: [{ type: 'text', text }] })

describe('the job of an engine', () => {
  const harness = harnesses()

  /** Says the same each time, and keeps what it was asked with. */
  const listening = () => {
    const jobs: EngineJob[] = []
    const engine: AgentEngine['run'] = async (job, { emit }) => {
      jobs.push(job)
      await emit(step.started)
      await emit({ type: 'text.delta', partId: 't', delta: `answer ${jobs.length}` })
      await emit(step.finished)
    }
    return { jobs, engine }
  }

  it('has the first message and the newest ones within the agent’s window', async () => {
    const { jobs, engine } = listening()
    const here = await harness(engine, {
      agent: { historyWindow: (context) => (context === 'wide' ? 4 : 2) },
    })
    const say = async (text: string, context = 'narrow') => {
      const { run } = await here.runs.start({ ...request, thread: 'chat', message: words(text), context })
      await here.ended(run.id)
      return jobs.at(-1)?.history.map((message) => textOf(message))
    }

    expect(await say('one')).toEqual(['one'])
    expect(await say('two')).toEqual(['one', 'answer 1', 'two'])
    expect(await say('three')).toEqual(['one', 'two', 'answer 2', 'three'])
    expect(await say('four')).toEqual(['one', 'three', 'answer 3', 'four'])
    expect(await say('five', 'wide')).toEqual(['one', 'three', 'answer 3', 'four', 'answer 4', 'five'])
  })

  it('starts with the first message of the branch', async () => {
    const { jobs, engine } = listening()
    const here = await harness(engine, { agent: { historyWindow: () => 1 } })
    const say = async (text: string, more: Partial<StartRequest> = {}) => {
      const { run } = await here.runs.start({ ...request, thread: 'chat', message: words(text), ...more })
      await here.ended(run.id)
      return run
    }
    const first = await say('one')
    await say('two')
    await say('another one', { replaces: first.request.messageId })
    await say('more')

    expect(jobs.at(-1)?.history.map((message) => textOf(message))).toEqual([
      'another one',
      'answer 3',
      'more',
    ])
  })

  it.each([
    [undefined, 10],
    [3, 3],
    [50, 10],
  ])('has the caller’s number of steps, %s, at most the agent’s', async (maxSteps, expected) => {
    const { jobs, engine } = listening()
    const here = await harness(engine)
    const { run } = await here.runs.start({ ...request, ...(maxSteps !== undefined && { maxSteps }) })
    await here.ended(run.id)

    expect(jobs[0]?.stepsLeft).toBe(expected)
    expect(jobs[0]?.agent.maxSteps).toBe(expected)
  })

  it('is told whose run it is, and in which conversation', async () => {
    const { engine } = listening()
    const contexts: unknown[] = []
    const here = await harness(engine, {
      agent: {
        runInstructions: (context) => {
          contexts.push(context)
          return ''
        },
      },
    })
    const { run } = await here.runs.start(request)
    await here.ended(run.id)

    expect(contexts).toMatchObject([{ userId: 'ada', threadId: run.threadId }])
  })
})

describe('an output guardrail', () => {
  const harness = harnesses()
  const reviewing: AgentEngine['run'] = async ({ outputGuardrail: review }, { emit }) => {
    await emit(step.started)
    const found = await review?.(emptyMessage('m'))
    await emit({ type: 'text.delta', partId: 't', delta: `found ${found}` })
    await emit(step.finished)
  }

  it('is told whose run it is', async () => {
    const contexts: unknown[] = []
    const here = await harness(reviewing, {
      outputGuardrail: async (context) => {
        contexts.push(context)
        return 'a slip'
      },
    })
    const { run } = await here.runs.start({ ...request, context: { a: 1 } })
    await here.said(run.id, 'found a slip')

    expect(contexts).toMatchObject([{ userId: 'ada', threadId: run.threadId, context: { a: 1 } }])
  })

  it('that fails is reported and leaves the answer as it is', async () => {
    const here = await harness(reviewing, { outputGuardrail: () => Promise.reject(new Error('no chart')) })
    const { run } = await here.runs.start(request)
    const events = await here.ended(run.id)

    expect(JSON.stringify(events)).toContain('found undefined')
    expect(events.at(-1)).toMatchObject({ type: 'run.finished' })
    expect(here.reports).toEqual([new Error('no chart')])
  })

  it('that has found something is heeded after a crash', async () => {
    let attempts = 0
    const engine: AgentEngine['run'] = async ({ partialAnswer: soFar }, { emit, signal }) => {
      attempts += 1
      await emit(step.started)
      if (soFar) {
        await emit({ type: 'text.delta', partId: 't', delta: 'corrected' })
        await emit(step.finished)
        return
      }
      await emit(step.finished)
      await emit({ type: 'data', name: CORRECTION, value: { because: 'a slip' } })
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    }
    const first = await harness(engine)
    const { run } = await first.runs.start(request)
    await first.said(run.id, CORRECTION)
    await first.runs.close()
    const second = await harness(engine, { store: first.store, notifier: first.notifier })
    await second.runs.recovered

    expect(JSON.stringify(await second.ended(run.id))).toContain('corrected')
    expect(attempts).toBe(2)
  })
})
