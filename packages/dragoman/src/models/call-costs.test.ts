import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createCallTally, noUsage } from '../events/index.ts'
import { meterModels } from './meter-models.ts'
import { createResilientModel } from './resilient-model.ts'
import {
  answer,
  apiError,
  ask,
  end,
  retryAlways,
  say,
  scriptedEndpoint,
  type ScriptedCall,
} from './resilient-model.fixture.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

/** What is known of a call that has read its prompt. */
const prompt = { inputTokens: expect.any(Number), outputTokens: 0, estimated: true }

/** What each try has cost of a model that fails once and then answers. */
async function costsOf(fault: ScriptedCall) {
  const meter = createCallTally()
  const { member } = scriptedEndpoint('a', fault, answer('Hello'))
  const work = ask([member], { meter })
  await vi.runAllTimersAsync()
  await work
  return meter.calls.map(({ usage }) => usage)
}

describe('a try that fails before its first word', () => {
  it.each<[string, ScriptedCall]>([
    ['limits the rate', apiError(429)],
    ['fails', apiError(500)],
    ['cannot be reached', new TypeError('fetch failed')],
    ['reports its overload in a stream', [...say(), { type: 'error', error: { type: 'overloaded' } }]],
  ])('costs nothing if the provider %s', async (_how, fault) => {
    expect(await costsOf(fault)).toEqual([noUsage, prompt])
  })

  it.each<[string, ScriptedCall]>([
    ['is silent until it is cut off', ['silence']],
    ['is silent after it has accepted the call', [...say(''), 'silence']],
    ['says nothing', say()],
    ['has produced nothing that can be used', [{ ...end, finishReason: { unified: 'error', raw: 'x' } }]],
  ])('costs its prompt if the provider %s', async (_how, fault) => {
    expect(await costsOf(fault)).toEqual([prompt, prompt])
  })

  it('costs its prompt if its caller stops it, and nothing while it waits to be made', async () => {
    for (const [calls, costs] of [
      [[['silence' as const]], [prompt]],
      [[apiError(500)], [noUsage]],
    ] as const) {
      const meter = createCallTally()
      const control = new AbortController()
      const work = ask([scriptedEndpoint('a', ...calls).member], { meter, signal: control.signal })
      await vi.advanceTimersByTimeAsync(500)
      control.abort()
      await work

      expect(meter.calls.map(({ usage }) => usage)).toEqual(costs)
    }
  })
})

it('names the model of each try', async () => {
  const meter = createCallTally()
  const { member } = scriptedEndpoint('a', apiError(400))
  await ask([member, scriptedEndpoint('b', answer('Hello')).member], { meter })

  expect(meter.calls.map(({ model }) => model)).toEqual(['a:scripted', 'b:scripted'])
})

it('counts an answer without streaming with its true usage', async () => {
  const meter = createCallTally()
  const { member } = scriptedEndpoint('a', answer('Whole'))
  const model = await createResilientModel([member], retryAlways, { onModel: () => undefined, meter })
  await model.doGenerate({ prompt: [] })

  expect(meter.calls).toEqual([{ model: 'a:scripted', usage: { inputTokens: 1, outputTokens: 1 } }])
})

describe('models of an application', () => {
  const control = new AbortController()
  const options = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }] }
  async function call(...calls: ScriptedCall[]) {
    const { member } = scriptedEndpoint('a', ...calls)
    const { name, load, failure } = member
    const meter = createCallTally()
    const models = meterModels({ choose: () => ({ name, why: '', load, failure }) })
    return { meter, model: await models.choose({}).load(undefined, undefined, meter) }
  }

  it('are counted as they are called, and cost nothing if they refuse', async () => {
    const { model, meter } = await call(answer('Hello'), apiError(500), answer('Whole'))
    await model.doStream(options)
    await expect(model.doStream(options)).rejects.toThrow()
    await model.doGenerate(options)

    const usages = meter.calls.map(({ usage }) => usage)
    expect(usages).toEqual([prompt, noUsage, { inputTokens: 1, outputTokens: 1 }])
  })

  it('cost their prompt if their caller stops them', async () => {
    const { model, meter } = await call(apiError(500))
    control.abort()
    await expect(model.doStream({ ...options, abortSignal: control.signal })).rejects.toThrow()

    expect(meter.usage).toEqual(prompt)
  })
})
