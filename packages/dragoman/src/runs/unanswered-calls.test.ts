import { describe, expect, it } from 'vitest'

import type { EngineHost } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { noUsage } from '../events/index.ts'
import { findLogError } from '../protocols/log-validator.fixture.ts'
import { harnesses, request, step, untilAborted } from './harness.fixture.ts'

const harness = harnesses()
const send = (host: EngineHost, inputTokens = 40) => host.charge({ model: 'm', inputTokens })
const prompt = (inputTokens: number) => ({ inputTokens, outputTokens: 0, estimated: true })

describe('a model call without a word', () => {
  it('counts for a run that its user stops', async () => {
    const call = Promise.withResolvers<void>()
    const { runs, ended } = await harness(async (_job, host) => {
      send(host)
      call.resolve()
      await untilAborted(host)
    })
    const { run } = await runs.start(request)
    await call.promise
    await runs.stop(run, 'ada')

    const events = await ended(run.id)
    expect(events.map(({ type }) => type)).toEqual(['run.started', 'run.stop-requested', 'run.cancelled'])
    expect(events.at(-1)).toMatchObject({ usage: prompt(40) })
    expect(findLogError(events, { complete: true })).toBeUndefined()
  })

  it('counts for a run whose time is over', async () => {
    const { runs, ended } = await harness(
      (_job, host) => {
        send(host)
        return untilAborted(host)
      },
      { runSeconds: 0.05 },
    )
    const events = await ended((await runs.start(request)).run.id)

    expect(events.at(-1)).toMatchObject({ failure: { code: 'timed-out' }, usage: prompt(40) })
  })

  it('counts for a run that fails, each that was cut off and none that was refused', async () => {
    const { runs, ended } = await harness(async (_job, host) => {
      send(host)
      send(host)
      send(host)(noUsage)
      throw new ServiceError('timed-out', 'It took too long.')
    })
    const events = await ended((await runs.start(request)).run.id)

    expect(events.at(-1)).toMatchObject({ type: 'run.failed', usage: prompt(80) })
  })

  it('costs nothing if the provider refuses it', async () => {
    const { runs, ended } = await harness(async (_job, host) => {
      send(host)(noUsage)
      throw new ServiceError('rate-limited', 'Too many.')
    })
    const events = await ended((await runs.start(request)).run.id)

    expect(events.at(-1)).toMatchObject({ type: 'run.failed', usage: noUsage })
  })

  it('counts in addition to the steps before it', async () => {
    const { runs, ended } = await harness(async (_job, host) => {
      send(host)
      await host.emit(step.started)
      await host.emit(step.finished)
      send(host, 50)
      throw new Error('broken')
    })
    const events = await ended((await runs.start(request)).run.id)

    expect(events.at(-1)).toMatchObject({ usage: { inputTokens: 53, outputTokens: 4, estimated: true } })
  })
})

describe('a model call with words', () => {
  it('costs what its step says', async () => {
    const { runs, ended } = await harness(async (_job, host) => {
      send(host)
      await host.emit(step.started)
      await host.emit(step.finished)
    })
    const events = await ended((await runs.start(request)).run.id)

    expect(events.at(-1)).toEqual({ type: 'run.finished', reason: 'stop', usage: step.finished.usage })
  })

  it('costs its own prompt if it is cut off', async () => {
    const { runs, ended, said } = await harness(async (_job, host) => {
      send(host, 4321)
      await host.emit(step.started)
      await host.emit({ type: 'text.started', partId: 't' })
      await host.emit({ type: 'text.delta', partId: 't', delta: 'Half of it' })
      await untilAborted(host)
    })
    const { run } = await runs.start(request)
    await said(run.id, 'Half')
    await runs.stop(run, 'ada')

    const usage = { inputTokens: 4321, outputTokens: 3, estimated: true }
    expect((await ended(run.id)).slice(-2)).toMatchObject([
      { type: 'step.finished', usage },
      { type: 'run.cancelled', usage },
    ])
  })
})
