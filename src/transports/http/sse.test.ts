import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { dataStream, eve, native } from '../../protocols/index.ts'
import { sse } from './index.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('server-sent events', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const open = (source: AsyncGenerator<Uint8Array, void>, heartbeat = native.heartbeat) => {
    const gone = new AbortController()
    const { body } = sse(source, { heartbeat, headers: {}, gone, socket: undefined })
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    const text = async (): Promise<string | undefined> => {
      const { value } = await reader.read()
      return value && new TextDecoder().decode(value)
    }
    return { gone, reader, text }
  }

  it('take nothing from the log before the socket can take it', async () => {
    let taken = 0
    const { text } = open(
      (async function* () {
        for (;;) yield bytes(String(++taken))
      })(),
    )
    await vi.advanceTimersByTimeAsync(1000)
    expect(taken).toBe(0)

    expect([await text(), await text()]).toEqual(['1', '2'])
    await vi.advanceTimersByTimeAsync(1000)
    expect(taken).toBe(2)
  })

  it.each([
    ['a comment', native.heartbeat, ': ping\n\n'],
    ['an empty line', dataStream.heartbeat, '\n'],
    ['the documented frame', eve.heartbeat, 'data: {"type":"ping"}\n\n'],
  ])('beat as %s after 15 s of silence, and again', async (_name, heartbeat, beat) => {
    const word = Promise.withResolvers<void>()
    const { text } = open(
      (async function* () {
        await word.promise
        yield bytes('at last')
      })(),
      heartbeat,
    )

    for (let beats = 0; beats < 2; beats++) {
      const heard = text()
      await vi.advanceTimersByTimeAsync(15_000)
      expect(await heard).toBe(beat)
    }
    word.resolve()
    expect(await text()).toBe('at last')
    expect(vi.getTimerCount()).toBe(0)
  })

  it('end with their source, and end it when their reader goes', async () => {
    const ended = vi.fn<() => void>()
    const source = async function* () {
      try {
        yield bytes('one')
      } finally {
        ended()
      }
    }
    const first = open(source())
    expect([await first.text(), await first.text()]).toEqual(['one', undefined])

    const second = open(source())
    await second.text()
    await second.reader.cancel()

    expect(second.gone.signal.aborted).toBe(true)
    expect(ended).toHaveBeenCalledTimes(2)
  })

  it('break where their source breaks, for a clean end would read as success', async () => {
    const { text } = open(
      (async function* (): AsyncGenerator<Uint8Array, void> {
        yield bytes('half')
        throw new Error('the store is gone')
      })(),
    )
    await text()

    await expect(text()).rejects.toThrow('the store is gone')
  })
})
