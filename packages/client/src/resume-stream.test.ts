import { describe, expect, it, vi } from 'vitest'

import {
  event,
  runTimers,
  useFastTimers,
  read,
  REST,
  streamResponse,
  scriptedFetch,
  UI,
} from './scripted-fetch.fixture.ts'

useFastTimers()

describe('a lost connection', () => {
  it.each(['ends', 'breaks', 'is silent'] as const)('is resumed if its body %s', async (end) => {
    const line = scriptedFetch(
      streamResponse(event(1) + 'id: 2\ndata: "cu', end),
      streamResponse(event(2) + REST, 'ends'),
    )
    const changes: boolean[] = []

    const text = await runTimers(read(line, {}, { onConnection: (isConnected) => changes.push(isConnected) }))

    expect(text).toBe(event(1) + event(2) + REST)
    expect(line.calls.map(({ url }) => url)).toEqual([
      '/dice/chat',
      '/dice/chat/run_1/stream?protocol=ui-message-stream',
    ])
    expect(line.calls[1]?.init.headers.get('last-event-id')).toBe('1')
    expect(line.calls[1]?.at).toBe(end === 'is silent' ? 37_600 : 100)
    expect(changes).toEqual([false, true])
  })

  it('is retried with growing delays until something arrives', async () => {
    const no = new TypeError('fetch failed')
    const line = scriptedFetch(
      streamResponse(event(1), 'breaks'),
      ...Array.from({ length: 7 }, () => no),
      streamResponse('', 'ends'),
      streamResponse(event(2), 'breaks'),
      streamResponse(REST, 'ends'),
    )

    expect(await runTimers(read(line))).toBe(event(1) + event(2) + REST)

    const waits = line.calls.map(({ at }, index) => at - (line.calls[index - 1]?.at ?? 0)).slice(1)
    expect(waits).toEqual([100, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000, 100])
  })

  it('is retried at the server’s retry-after, or once the page is online again', async () => {
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page))
    const busy = new Response('', { status: 503, headers: { 'retry-after': '20' } })
    const line = scriptedFetch(streamResponse(event(1), 'breaks'), busy, streamResponse(REST, 'ends'))
    const result = read(line)

    await vi.advanceTimersByTimeAsync(20_000)
    expect(line.calls).toHaveLength(2)
    page.dispatchEvent(new Event('online'))

    expect(await runTimers(result)).toBe(event(1) + REST)
    expect(line.calls[2]?.at).toBe(20_000)
  })

  it('is retried if no response begins', async () => {
    const line = scriptedFetch(streamResponse(event(1), 'breaks'), 'never', streamResponse(REST, 'ends'))

    expect(await runTimers(read(line))).toBe(event(1) + REST)
    expect(line.calls.map(({ at }) => at)).toEqual([0, 100, 38_600])
  })

  it('is resumed with credentials and without body headers', async () => {
    const line = scriptedFetch(streamResponse('', 'breaks'), streamResponse(REST, 'ends'))
    const headers = { authorization: 'Bearer t', 'content-type': 'application/json' }

    await runTimers(read(line, { headers, credentials: 'include' }))

    const { headers: sent, ...init } = line.calls[1]?.init ?? {}
    expect(Object.fromEntries(sent ?? [])).toEqual({ authorization: 'Bearer t' })
    expect(init).toMatchObject({ method: 'GET', credentials: 'include' })
    expect(init).not.toHaveProperty('body')
  })

  it('is resumed after x-after before the first event', async () => {
    const cut = new Response(streamResponse('id: 8\nda', 'breaks').body, {
      headers: { ...UI, 'x-after': '7' },
    })
    const line = scriptedFetch(cut, streamResponse(REST, 'ends'))

    await runTimers(read(line))

    expect(line.calls[1]?.init.headers.get('last-event-id')).toBe('7')
  })

  it('ends with the stream if nothing is left', async () => {
    const line = scriptedFetch(streamResponse(event(1), 'breaks'), new Response(null, { status: 204 }))

    expect(await runTimers(read(line))).toBe(event(1))
  })

  it('is not resumed after the last event', async () => {
    const line = scriptedFetch(streamResponse(event(1) + REST, 'breaks'))

    expect(await runTimers(read(line))).toBe(event(1) + REST)
  })

  it.each([401, 403, 404, 409, 410])('fails with the server’s error at %d', async (status) => {
    const errorResponse = Response.json({ error: 'There is no such run.', code: 'not-found' }, { status })
    const result = runTimers(read(scriptedFetch(streamResponse(event(1), 'breaks'), errorResponse)))

    const error = await result.catch((thrown: unknown) => thrown)

    expect(error).toMatchObject({
      message: `The run cannot be read on (${status}): There is no such run.`,
      cause: { status, code: 'not-found' },
    })
    expect(error).not.toBeInstanceOf(TypeError)
  })

  it('fails if the response is not a stream', async () => {
    const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })

    await expect(runTimers(read(scriptedFetch(streamResponse(event(1), 'breaks'), page)))).rejects.toThrow(
      'The run cannot be read on (200): It was answered with text/html.',
    )
  })
})
