import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { countTurns } from '../../../../test/support/count-turns.ts'
import { mergeDeltas, splitDeltas } from './merge-deltas.ts'

type Part = LanguageModelV4StreamPart

const text = (id: string, delta: string): Part => ({ type: 'text-delta', id, delta })

/** What is written to it is there for its reader; `end` is the end. */
function pipe() {
  const { readable, writable } = new TransformStream<Part, Part>(
    undefined,
    { highWaterMark: 1000 },
    { highWaterMark: 1000 },
  )
  const writer = writable.getWriter()
  const reader = readable.getReader()
  return { writer, next: mergeDeltas(() => reader.read()) }
}

async function rest(next: () => Promise<Part | undefined>): Promise<Part[]> {
  const parts: Part[] = []
  for (let part = await next(); part; part = await next()) parts.push(part)
  return parts
}

describe('mergeDeltas', () => {
  it('merges deltas of one part that have already arrived', async () => {
    const { writer, next } = pipe()
    const parts: Part[] = [
      text('a', 'Hel'),
      text('a', 'lo'),
      text('b', 'you'),
      { type: 'reasoning-delta', id: 'b', delta: 'Hm' },
      { type: 'reasoning-delta', id: 'b', delta: '', providerMetadata: { x: { signature: '1' } } },
      { type: 'text-end', id: 'b' },
      { type: 'tool-input-delta', id: 'c', delta: '{' },
      { type: 'tool-input-delta', id: 'c', delta: '}' },
    ]
    for (const part of parts) void writer.write(part)
    void writer.close()

    expect(await rest(next)).toEqual([
      text('a', 'Hello'),
      text('b', 'you'),
      { type: 'reasoning-delta', id: 'b', delta: 'Hm', providerMetadata: { x: { signature: '1' } } },
      { type: 'text-end', id: 'b' },
      { type: 'tool-input-delta', id: 'c', delta: '{}' },
    ])
  })

  it('does not wait: it returns a single delta before any other input', async () => {
    const { writer, next } = pipe()
    void writer.write(text('a', 'Hel'))
    let turned = false
    setImmediate(() => (turned = true))

    expect(await next()).toEqual(text('a', 'Hel'))
    expect(turned).toBe(false)

    void writer.write(text('a', 'lo'))
    void writer.close()
    expect(await rest(next)).toEqual([text('a', 'lo')])
  })

  it('returns deltas before the error that follows them', async () => {
    const { writer, next } = pipe()
    void writer.write(text('a', 'Hel'))
    void writer.write(text('a', 'lo'))
    expect(await next()).toEqual(text('a', 'Hello'))

    const cut = new Error('cut')
    writer.abort(cut).catch(() => undefined)

    await expect(next()).rejects.toBe(cut)
  })
})

/** A part, and whether the event loop turns before it comes. */
const paced = fc.record({
  part: fc.oneof(
    fc.record({
      type: fc.constantFrom('text-delta' as const, 'reasoning-delta' as const, 'tool-input-delta' as const),
      id: fc.constantFrom('a', 'b'),
      delta: fc.string({ maxLength: 3 }),
    }),
    fc.record({
      type: fc.constantFrom('text-start' as const, 'text-end' as const),
      id: fc.constantFrom('a', 'b'),
    }),
  ),
  late: fc.boolean(),
})

/** What was said, piece by piece: the same however it was cut into deltas. */
function folded(parts: readonly Part[]): string[] {
  const pieces: { key: string; said: string }[] = []
  for (const part of parts) {
    const key = 'id' in part ? `${part.type} ${part.id}` : part.type
    const last = pieces.at(-1)
    if ('delta' in part && last?.key === key) last.said += part.delta
    else pieces.push({ key, said: 'delta' in part ? part.delta : '' })
  }
  return pieces.map(({ key, said }) => `${key}: ${said}`)
}

it('returns all deltas in order at any pace', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(paced, { maxLength: 30 }), async (parts) => {
      async function* speak(): AsyncGenerator<Part> {
        for (const { part, late } of parts) {
          if (late) await new Promise((resolve) => setImmediate(resolve))
          yield part
        }
      }
      const reader = ReadableStream.from(speak()).getReader()

      const merged = await rest(mergeDeltas(() => reader.read()))

      expect(folded(merged)).toEqual(folded(parts.map(({ part }) => part)))
      if (parts.every(({ late }) => !late)) expect(merged).toHaveLength(folded(merged).length)
    }),
  )
})

it('passes a large delta on in pieces, between which the event loop turns', async () => {
  const delta = `${'x'.repeat(16_383)}😊`.repeat(40)
  const whole: Part = { type: 'reasoning-delta', id: 'a', delta, providerMetadata: { x: { signature: '1' } } }
  const source = [whole, text('b', 'Hello')]
  const reading = rest(splitDeltas(async () => source.shift()))

  expect(await countTurns(reading)).toBeGreaterThan(30)
  const pieces = await reading
  expect(folded(pieces)).toEqual(folded([whole, text('b', 'Hello')]))
  expect(pieces.length).toBeGreaterThan(40)
  expect(pieces.every((part) => !('delta' in part) || part.delta.isWellFormed())).toBe(true)
  expect(pieces.filter((part) => 'providerMetadata' in part)).toEqual([pieces.at(-2)])
})
