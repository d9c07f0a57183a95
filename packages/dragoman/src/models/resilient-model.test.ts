import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createResilientModel } from './resilient-model.ts'
import {
  retryAlways,
  answer,
  ask,
  end,
  apiError,
  say,
  scriptedEndpoint,
  SECRET,
  type ScriptedCall,
  type Part,
} from './resilient-model.fixture.ts'

/** Lets all time pass that is waited for. */
async function atOnce<T>(work: Promise<T>): Promise<T> {
  await vi.runAllTimersAsync()
  return work
}

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => vi.useRealTimers())

describe('before its first word, a model', () => {
  it.each<[string, ScriptedCall]>([
    ['is too busy', apiError(529)],
    ['limits its callers', apiError(429)],
    ['cannot be reached', new TypeError('fetch failed')],
    ['says so in its stream', [...say(), { type: 'error', error: { message: SECRET, type: 'overloaded' } }]],
    ['ends without a word', say()],
    ['ends without a word of the end', [{ ...end, finishReason: { unified: 'other', raw: undefined } }]],
    ['is silent', [...say(''), 'silence']],
  ])('that %s is asked again', async (_fault, fault) => {
    const { member, state } = scriptedEndpoint('a', fault, answer('Hello'))

    expect(await atOnce(ask([member]))).toEqual({ said: 'Hello', speakers: ['a:scripted'], error: undefined })
    expect(state.asked).toBe(2)
  })

  it('is given longer and longer pauses, and is asked four times', async () => {
    const { member, state } = scriptedEndpoint(
      'a',
      apiError(500),
      apiError(500),
      apiError(500),
      apiError(500),
      answer('Late'),
    )

    const { error } = await atOnce(ask([member]))

    expect(error).toMatchObject({ code: 'model-failed' })
    expect(state.at.map((at) => Math.round(at - (state.at[0] ?? 0)))).toEqual([0, 1000, 3000, 7000])
  })

  it('is given the pause that it asks for', async () => {
    const { member, state } = scriptedEndpoint('a', apiError(429, { 'retry-after': '25' }), answer('Hello'))

    expect(await atOnce(ask([member]))).toMatchObject({ said: 'Hello' })
    expect(state.at.map((at) => Math.round(at - (state.at[0] ?? 0)))).toEqual([0, 25_000])
  })

  it('that asks for too long a pause is left for the next', async () => {
    const busy = scriptedEndpoint('a', apiError(429, { 'retry-after': '3600' }))
    const next = scriptedEndpoint('b', answer('Hello'))

    expect(await atOnce(ask([busy.member, next.member]))).toMatchObject({
      said: 'Hello',
      speakers: ['b:scripted'],
    })
    expect(busy.state.asked).toBe(1)
    expect(
      (await atOnce(ask([scriptedEndpoint('a', apiError(429, { 'retry-after': '3600' })).member]))).error,
    ).toMatchObject({
      code: 'rate-limited',
      retryAfter: 3600,
      message: 'Rate limit exceeded for a:scripted. Please wait 3600 seconds.',
    })
  })

  it.each([400, 401, 403, 404, 413])('that refuses with %i is left for the next at once', async (status) => {
    const first = scriptedEndpoint('a', apiError(status))
    const next = scriptedEndpoint('b', answer('Hello'))

    expect(await ask([first.member, next.member])).toMatchObject({ said: 'Hello', speakers: ['b:scripted'] })
    expect(first.state.asked).toBe(1)
  })

  it('is aborted when it has been silent for too long', async () => {
    const { member, state } = scriptedEndpoint('a', ['silence'], ['silence'], ['silence'], ['silence'])

    expect((await atOnce(ask([member]))).error).toMatchObject({ code: 'timed-out' })
    expect(state).toMatchObject({ asked: 4, aborted: 4 })
  })
})

describe('a chain that fails', () => {
  it('tells the failure that may pass, before one that stays', async () => {
    const { error } = await atOnce(
      ask([
        scriptedEndpoint('a', apiError(401)).member,
        scriptedEndpoint('b', ...Array<Error>(4).fill(apiError(503))).member,
      ]),
    )

    expect(error).toMatchObject({ code: 'model-overloaded', message: expect.stringContaining('b:scripted') })
  })

  it('goes no further than its triggers say', async () => {
    const next = scriptedEndpoint('b', answer('Hello'))
    const patience = {
      ...retryAlways,
      retries: 0,
      usesFallback: ({ code }: { code: string }) => code !== 'rate-limited',
    }

    expect(
      (await ask([scriptedEndpoint('a', apiError(429)).member, next.member], { patience })).error,
    ).toMatchObject({
      code: 'rate-limited',
    })
    expect(next.state.asked).toBe(0)
  })

  it('never tells what the provider said', async () => {
    const { error } = await ask([scriptedEndpoint('a', apiError(400)).member])

    expect(error).toMatchObject({ code: 'model-refused' })
    expect(String(error)).not.toContain(SECRET)
  })
})

describe('after its first word, a model', () => {
  it.each<[string, ScriptedCall, string]>([
    [
      'that fails',
      [...say('Hel'), { type: 'error', error: { message: SECRET, statusCode: 529 } }],
      'model-overloaded',
    ],
    ['that ends without a word of its end', say('Hel'), 'model-failed'],
    ['that is silent', [...say('Hel'), 'silence'], 'timed-out'],
  ])('%s ends the answer with an error', async (_fault, call, code) => {
    const { member, state } = scriptedEndpoint('a', call, answer('Again'))
    const next = scriptedEndpoint('b', answer('Other'))

    const { said, error } = await atOnce(ask([member, next.member]))

    expect(said).toBe('Hel')
    expect(error).toMatchObject({ code })
    expect([state.asked, state.aborted, next.state.asked]).toEqual([1, 1, 0])
  })

  it('may fail once it has told the end', async () => {
    const late: Part = { type: 'text-delta', id: 't', delta: '!' }
    const { member } = scriptedEndpoint('a', [...answer('Hello'), late, { type: 'error', error: 'too late' }])

    expect(await ask([member])).toMatchObject({ said: 'Hello!', error: undefined })
  })
})

describe('a caller who gives up', () => {
  it.each<[string, ScriptedCall[]]>([
    ['while nothing is said', [['silence']]],
    ['in a pause', [apiError(500)]],
    ['in the middle', [[...say('Hel'), 'silence']]],
  ])('%s is let go at once, and nothing is left', async (_place, calls) => {
    const { member, state } = scriptedEndpoint('a', ...calls)
    const control = new AbortController()
    const asked = ask([member], { signal: control.signal })
    await vi.advanceTimersByTimeAsync(500)

    control.abort(new Error('stopped'))

    expect((await asked).error).toMatchObject({ message: 'stopped' })
    expect(state.asked).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('who cancels the stream has the request aborted', async () => {
    const { member, state } = scriptedEndpoint('a', [...say('Hel'), 'silence'])
    const model = await createResilientModel([member], retryAlways, { onModel: () => undefined })
    const { stream } = await model.doStream({ prompt: [] })

    await stream.cancel()

    expect(state.aborted).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('leaves no timer behind an answer', async () => {
  await ask([scriptedEndpoint('a', answer('Hello')).member])

  expect(vi.getTimerCount()).toBe(0)
})

it('does not count the time in which nobody asks for more', async () => {
  const { member } = scriptedEndpoint('a', answer('Hel', 'lo'))
  const model = await createResilientModel([member], retryAlways, { onModel: () => undefined })
  const { stream } = await model.doStream({ prompt: [] })
  await vi.advanceTimersByTimeAsync(1_000_000)

  expect((await Array.fromAsync(stream)).at(-1)).toMatchObject({ type: 'finish' })
})

it('tries for the whole of an answer in the same way', async () => {
  const { member } = scriptedEndpoint('a', apiError(529), answer('Whole'))
  const model = await createResilientModel([member], retryAlways, { onModel: () => undefined })

  expect(await atOnce(Promise.resolve(model.doGenerate({ prompt: [] })))).toMatchObject({
    content: [{ text: 'Whole' }],
  })
})
