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

describe('a model before its first output', () => {
  it.each<[string, ScriptedCall]>([
    ['is overloaded', apiError(529)],
    ['limits its rate', apiError(429)],
    ['cannot be reached', new TypeError('fetch failed')],
    [
      'reports an overload in its stream',
      [...say(), { type: 'error', error: { message: SECRET, type: 'overloaded' } }],
    ],
    ['ends without output', say()],
    ['ends without a finish reason', [{ ...end, finishReason: { unified: 'other', raw: undefined } }]],
    ['times out', [...say(''), 'silence']],
  ])('is retried after it %s', async (_fault, fault) => {
    const { member, state } = scriptedEndpoint('a', fault, answer('Hello'))

    expect(await atOnce(ask([member]))).toEqual({ said: 'Hello', speakers: ['a:scripted'], error: undefined })
    expect(state.asked).toBe(2)
  })

  it('is called four times with growing pauses', async () => {
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

  it('is retried after the pause that it asks for', async () => {
    const { member, state } = scriptedEndpoint('a', apiError(429, { 'retry-after': '25' }), answer('Hello'))

    expect(await atOnce(ask([member]))).toMatchObject({ said: 'Hello' })
    expect(state.at.map((at) => Math.round(at - (state.at[0] ?? 0)))).toEqual([0, 25_000])
  })

  it('is skipped if it asks for too long a pause', async () => {
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
      message: 'Rate limit exceeded for a:scripted. Please wait 60 minutes.',
    })
  })

  it.each([400, 401, 403, 404, 413])('is skipped at once if it refuses with %i', async (status) => {
    const first = scriptedEndpoint('a', apiError(status))
    const next = scriptedEndpoint('b', answer('Hello'))

    expect(await ask([first.member, next.member])).toMatchObject({ said: 'Hello', speakers: ['b:scripted'] })
    expect(first.state.asked).toBe(1)
  })

  it('is aborted after the idle timeout', async () => {
    const { member, state } = scriptedEndpoint('a', ['silence'], ['silence'], ['silence'], ['silence'])

    expect((await atOnce(ask([member]))).error).toMatchObject({ code: 'timed-out' })
    expect(state).toMatchObject({ asked: 4, aborted: 4 })
  })
})

describe('a chain in which all models fail', () => {
  it('reports a temporary failure before a permanent one', async () => {
    const { error } = await atOnce(
      ask([
        scriptedEndpoint('a', apiError(401)).member,
        scriptedEndpoint('b', ...Array<Error>(4).fill(apiError(503))).member,
      ]),
    )

    expect(error).toMatchObject({ code: 'model-overloaded', message: expect.stringContaining('b:scripted') })
  })

  it('stops at a failure that triggers no fallback', async () => {
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

  it("does not show the provider's message", async () => {
    const { error } = await ask([scriptedEndpoint('a', apiError(400)).member])

    expect(error).toMatchObject({ code: 'model-refused' })
    expect(String(error)).not.toContain(SECRET)
  })
})

describe('a model after its first output', () => {
  it.each<[string, ScriptedCall, string]>([
    [
      'fails',
      [...say('Hel'), { type: 'error', error: { message: SECRET, statusCode: 529 } }],
      'model-overloaded',
    ],
    ['ends without a finish part', say('Hel'), 'model-failed'],
    ['times out', [...say('Hel'), 'silence'], 'timed-out'],
  ])('ends the answer with an error after it %s', async (_fault, call, code) => {
    const { member, state } = scriptedEndpoint('a', call, answer('Again'))
    const next = scriptedEndpoint('b', answer('Other'))

    const { said, error } = await atOnce(ask([member, next.member]))

    expect(said).toBe('Hel')
    expect(error).toMatchObject({ code })
    expect([state.asked, state.aborted, next.state.asked]).toEqual([1, 1, 0])
  })

  it('may fail after its finish part', async () => {
    const late: Part = { type: 'text-delta', id: 't', delta: '!' }
    const { member } = scriptedEndpoint('a', [...answer('Hello'), late, { type: 'error', error: 'too late' }])

    expect(await ask([member])).toMatchObject({ said: 'Hello!', error: undefined })
  })
})

describe('a caller who aborts', () => {
  it.each<[string, ScriptedCall[]]>([
    ['before the first output', [['silence']]],
    ['in a pause between retries', [apiError(500)]],
    ['in the middle of an answer', [[...say('Hel'), 'silence']]],
  ])('is released at once %s, and nothing remains', async (_place, calls) => {
    const { member, state } = scriptedEndpoint('a', ...calls)
    const control = new AbortController()
    const request = ask([member], { signal: control.signal })
    await vi.advanceTimersByTimeAsync(500)

    control.abort(new Error('stopped'))

    expect((await request).error).toMatchObject({ message: 'stopped' })
    expect(state.asked).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('aborts the request by cancelling the stream', async () => {
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

it('does not count the time without a reader', async () => {
  const { member } = scriptedEndpoint('a', answer('Hel', 'lo'))
  const model = await createResilientModel([member], retryAlways, { onModel: () => undefined })
  const { stream } = await model.doStream({ prompt: [] })
  await vi.advanceTimersByTimeAsync(1_000_000)

  expect((await Array.fromAsync(stream)).at(-1)).toMatchObject({ type: 'finish' })
})

it('retries answers without streaming in the same way', async () => {
  const { member } = scriptedEndpoint('a', apiError(529), answer('Whole'))
  const model = await createResilientModel([member], retryAlways, { onModel: () => undefined })

  expect(await atOnce(Promise.resolve(model.doGenerate({ prompt: [] })))).toMatchObject({
    content: [{ text: 'Whole' }],
  })
})
