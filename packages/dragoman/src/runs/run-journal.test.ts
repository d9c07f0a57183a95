import { describe, expect, it } from 'vitest'

import { ServiceError } from '../errors.ts'
import { chatRequest, harnesses, request, step, untilAborted } from './harness.fixture.ts'

describe('the journal of runs', () => {
  const harness = harnesses()
  const begin = { type: 'step.started', model: 'anthropic:x' } as const

  it('says who ended a run, and which model answered', async () => {
    const { runs, ends, ended } = await harness(async (_run, host) => {
      await host.emit(begin)
      await untilAborted(host)
    })
    const stopped = await runs.start(request)
    await runs.stop(stopped.run, 'ada')
    const unread = await runs.start(request)
    runs.abandon(unread.run, 'ada')
    await ended(unread.run.id)
    const replaced = await runs.start(chatRequest('one'))
    await runs.start(chatRequest('two', 'interrupt'))
    await ended(replaced.run.id)
    await runs.forget(replaced.run.threadId, 'ada')

    expect(ends.map(({ terminal, by }) => [terminal.type, by])).toEqual([
      ['run.cancelled', 'user'],
      ['run.cancelled', 'page'],
      ['run.cancelled', 'message'],
      ['run.cancelled', 'deletion'],
    ])
  })

  it('has the error of a run that failed, and names no one', async () => {
    const error = new ServiceError('model-failed', 'The model failed.')
    const { runs, ends, ended } = await harness(async (_run, host) => {
      await host.emit(begin)
      throw error
    })
    const { run } = await runs.start(request)
    await ended(run.id)

    expect(ends).toMatchObject([{ terminal: { type: 'run.failed' }, model: 'anthropic:x', error }])
    expect(ends[0]?.by).toBeUndefined()
  })

  it.each([
    ['stop', undefined],
    ['length', 'limit'],
  ] as const)('says of a run that finished with %s: %s', async (reason, by) => {
    const { runs, ends, ended } = await harness(async (_run, host) => {
      await host.emit(begin)
      await host.emit({ ...step.finished, reason })
    })
    const { run } = await runs.start(request)
    await ended(run.id)

    expect(ends.map((end) => [end.terminal.type, end.by])).toEqual([['run.finished', by]])
  })
})
