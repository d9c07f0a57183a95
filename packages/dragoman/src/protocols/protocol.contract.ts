import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { emptyMessage, fold, isStructural, type Json, type LogEntry } from '../events/index.ts'
import type { FrameValidator } from './frame-validators.fixture.ts'
import { historyBefore, logOf, run, stories } from './stories.fixture.ts'
import type { Encoder, Protocol } from './protocol.ts'

const GOLDEN = join(import.meta.dirname, '../../../../test/golden')

const encode = (encoder: Encoder, log: readonly LogEntry[]): string[][] =>
  log.map((entry) => [...encoder(entry)])

/**
 * The guarantees of a wire format. `judge` validates its frames as the clients do. A view of its own has its own
 * folder of golden files. `startsSilently`: the start of a run has no frame.
 */
export function describeProtocol(
  protocol: Protocol,
  judge: FrameValidator,
  {
    name = protocol.name,
    view: requestedView = {},
    startsSilently = false,
  }: { name?: string; view?: Json; startsSilently?: boolean } = {},
): void {
  const view = protocol.view(requestedView, {})
  const named = protocol.eventName === undefined ? '' : `event: ${protocol.eventName}\n`
  const begin = (): Encoder =>
    protocol.encoder({ run, view, ...(protocol.needsThread && { before: historyBefore }) })

  describe(`${name} as a protocol`, () => {
    describe.each(Object.entries(stories))('for a run with %s', (story, events) => {
      const log = logOf(events)
      const frames = encode(begin(), log)

      it('writes the bytes of the golden file', async () => {
        const text = frames
          .flat()
          .map((frame) => (protocol.framing === 'lines' ? `${frame}\n` : `${named}data: ${frame}\n\n`))
          .join('')

        await expect(text).toMatchFileSnapshot(join(GOLDEN, name, `${story.replaceAll(' ', '-')}.txt`))
      })

      it('passes its validator', () => {
        expect(() => judge(frames.flat(), true)).not.toThrow()
      })

      it('is deterministic, and writes no line breaks, secrets or nulls', () => {
        expect(encode(begin(), log)).toEqual(frames)
        for (const frame of frames.flat()) {
          expect(frame).not.toMatch(/[\n\r]/)
          expect(frame).not.toContain('SECRET')
        }
      })

      it('resumes after any entry', () => {
        for (const [index] of log.entries()) {
          const encoder = begin()
          for (const entry of log.slice(0, index))
            if (protocol.remembersAll?.(view) || isStructural(entry.event)) encoder(entry)

          expect(log.slice(index).map((entry) => encoder(entry))).toEqual(frames.slice(index))
        }
      })

      it('writes the start first, and ends with the terminal entry', () => {
        expect(frames[0]?.length === 0).toBe(startsSilently)
        expect(frames.at(-1)?.length).toBeGreaterThan(0)
      })

      it('returns the whole answer as one JSON value', () => {
        const message = log.reduce((folded, { event }) => fold(folded, event), emptyMessage(run.messageId))
        const whole = JSON.stringify(protocol.whole(run, view, message))

        expect([run.messageId, run.id].filter((id) => whole.includes(id))).not.toEqual([])
        expect(whole).not.toContain('SECRET')
      })
    })
  })
}
