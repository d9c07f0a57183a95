import { describe, expect, it, vi } from 'vitest'

import {
  event,
  letAllTimePass,
  runTimers,
  useFastTimers,
  read,
  REST,
  streamResponse,
  scriptedFetch,
} from './scripted-fetch.fixture.ts'
import { resumableFetch } from './resumable-fetch.ts'

useFastTimers()

describe('an aborted request', () => {
  it.each([
    ['while it is read', () => streamResponse(event(1), 'is silent'), 1],
    ['while it waits to reconnect', () => streamResponse(event(1), 'breaks'), 1],
  ])('fails at once %s, and does not reconnect', async (_when, first, calls) => {
    const line = scriptedFetch(first(), 'never')
    const control = new AbortController()
    const reading = read(line, { signal: control.signal })
    reading.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(50)

    control.abort()

    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    await letAllTimePass()
    expect(line.calls).toHaveLength(calls)
  })

  it('aborts the request that would resume it', async () => {
    const line = scriptedFetch(streamResponse(event(1), 'breaks'), 'never')
    const control = new AbortController()
    const reading = read(line, { signal: control.signal })
    reading.catch(() => undefined)
    await vi.advanceTimersByTimeAsync(200)

    control.abort()

    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    expect(line.calls[1]?.init.signal?.aborted).toBe(true)
    await letAllTimePass()
    expect(line.calls).toHaveLength(2)
  })

  it('disconnects when the body is cancelled', async () => {
    const line = scriptedFetch(streamResponse(event(1), 'breaks'), 'never')
    const answer = await resumableFetch(line)('/dice/chat')
    const reader = answer.body?.getReader()
    await reader?.read()
    await vi.advanceTimersByTimeAsync(200)

    await reader?.cancel()

    expect(line.calls[1]?.init.signal?.aborted).toBe(true)
  })
})

describe('a request without a response', () => {
  const no = new TypeError('fetch failed')

  it('is sent again with the same key', async () => {
    const line = scriptedFetch(no, no, streamResponse(REST, 'ends'))

    expect(await runTimers(read(line))).toBe(REST)

    const keys = line.calls.map(({ init }) => init.headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[\w-]{20,}$/)
    expect(new Set(keys).size).toBe(1)
    expect(line.calls.map(({ init }) => init.body)).toEqual(['{}', '{}', '{}'])
  })

  it('keeps its own key, and fails after the last retry', async () => {
    const line = scriptedFetch(no, no, no, no, no)

    await expect(runTimers(read(line, { headers: { 'Idempotency-Key': 'mine' } }))).rejects.toBe(no)
    expect(line.calls.map(({ init }) => init.headers.get('idempotency-key'))).toEqual(Array(5).fill('mine'))
  })

  it.each([{ method: 'DELETE' }, { body: new ReadableStream<Uint8Array>() }])(
    'is sent once if a retry is not safe: %j',
    async (init) => {
      const line = scriptedFetch(no)

      await expect(runTimers(read(line, init))).rejects.toBe(no)
      expect(line.calls).toHaveLength(1)
    },
  )

  it('may be a Request', async () => {
    const line = scriptedFetch(no, streamResponse(REST, 'breaks'))
    const request = new Request('http://a.example/dice/chat', { method: 'POST', body: '你好' })

    const answer = await runTimers(resumableFetch(line)(request))

    expect(await runTimers(answer.text())).toBe(REST)
    expect(line.calls.map(({ url }) => url)).toEqual([request.url, request.url])
    expect(new TextDecoder().decode(line.calls[1]?.init.body as ArrayBuffer)).toBe('你好')
  })
})

it('returns a response that is not a run’s stream unchanged', async () => {
  const busy = Response.json(
    { error: 'The thread is busy.' },
    { status: 409, headers: { 'x-run-id': 'run_1' } },
  )

  expect(await resumableFetch(scriptedFetch(busy))('/dice/chat')).toBe(busy)
})
