import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { memoryStore } from '../stores/memory/index.ts'
import { harnesses, step, chatRequest } from './harness.fixture.ts'

describe('a run whose thread cannot be read', () => {
  const harness = harnesses()
  const failing = async (error: Error, times: number) => {
    let failures = 0
    const here = await harness(
      async (_job, host) => {
        await host.emit(step.started)
        await host.emit(step.finished)
      },
      {
        store: memoryStore(),
        history: (own) => ({
          ...own,
          async path(threadId, page) {
            if (page.leaf !== undefined && failures++ < times) throw error
            return own.path(threadId, page)
          },
        }),
      },
    )
    const { run } = await here.runs.start(chatRequest('first'))
    await here.ended(run.id)
    return here
  }

  it('fails and frees its thread', async () => {
    const here = await failing(new SyntaxError('Unexpected token'), Infinity)

    const { run } = await here.runs.start(chatRequest('second'))

    expect((await here.ended(run.id)).at(-1)).toMatchObject({
      type: 'run.failed',
      failure: {
        code: 'internal',
        message: "The agent dice failed before its first step. The server's log has the reason.",
      },
    })
    expect(here.reports).toHaveLength(1)
    expect((await here.runs.start(chatRequest('third'))).run.status).toBe('running')
  })

  it('retries while the file is busy', async () => {
    const here = await failing(new ServiceError('unavailable', 'The file is busy.'), 1)

    const { run } = await here.runs.start(chatRequest('second'))

    expect((await here.types(run.id)).at(-1)).toBe('run.finished')
  })
})

describe('a run whose agent throws as an unavailable store does', () => {
  const harness = harnesses()
  const unavailable = () => {
    throw new ServiceError('unavailable', 'calendar.example cannot be reached.')
  }

  it.each<[string, Parameters<typeof harness>[1]]>([
    ['runInstructions', { agent: { runInstructions: unavailable } }],
    ['historyWindow', { agent: { historyWindow: unavailable } }],
    ['an engine', {}],
  ])('fails once: %s', async (_hook, options) => {
    let attempts = 0
    const here = await harness(async () => {
      attempts += 1
      unavailable()
    }, options)

    const { run } = await here.runs.start(chatRequest('first'))

    expect((await here.ended(run.id)).at(-1)).toMatchObject({
      type: 'run.failed',
      failure: { code: 'unavailable', message: 'calendar.example cannot be reached.' },
    })
    expect(attempts).toBe(options?.agent ? 0 : 1)
    expect((await here.runs.start(chatRequest('second'))).run.status).toBe('running')
  })

  it('fails with instructions that no model could read', async () => {
    const here = await harness(async () => undefined, {
      agent: { runInstructions: () => 'x'.repeat(3_000_000) },
    })

    const { run } = await here.runs.start(chatRequest('first'))

    expect((await here.ended(run.id)).at(-1)).toMatchObject({ failure: { code: 'too-large' } })
  })
})
