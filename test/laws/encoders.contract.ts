import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { anyLogs, completeLogs } from '../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { isTerminal } from '../../packages/dragoman/src/events/index.ts'
import { startCursor, parseCursor } from '../../packages/dragoman/src/server/fan-out/cursor.ts'
import { eventsOf } from '../support/event-stream.ts'
import { bytesOf, framesOf, primed, type Format } from './encoded.ts'
import { RUNS } from './runs.ts'

/** The laws of every wire format, whatever a run writes. */
export function describeEncoders(formats: Readonly<Record<string, Format>>): void {
  describe.each(Object.entries(formats))(
    'any log in %s',
    (_, { protocol, judge, view, startsSilently = false }) => {
      it('has legal frames, closed parts and one end', () => {
        fc.assert(
          fc.property(anyLogs, fc.boolean(), (log, showThinking) => {
            const end = log.at(-1)
            const frames = framesOf(protocol, log, { ...view, showThinking })
            judge(frames.flat(), end !== undefined && isTerminal(end.event))
            expect(frames[0]?.length === 0).toBe(startsSilently)
          }),
          RUNS,
        )
      })

      it('gives the same bytes each time, without line breaks or secrets in a frame', () => {
        fc.assert(
          fc.property(anyLogs, (log) => {
            const frames = framesOf(protocol, log, view)
            expect(framesOf(protocol, log, view)).toEqual(frames)
            expect(frames.flat().filter((frame) => /[\n\r]|SECRET/.test(frame))).toEqual([])
          }),
          RUNS,
        )
      })

      it('gives the same bytes from an encoder that is primed at any entry', () => {
        fc.assert(
          fc.property(anyLogs, fc.boolean(), (log, showThinking) => {
            const frames = framesOf(protocol, log, { ...view, showThinking })
            for (const [index] of log.entries()) {
              const encoder = primed(protocol, log.slice(0, index), { ...view, showThinking })
              expect(log.slice(index).map((entry) => encoder(entry))).toEqual(frames.slice(index))
            }
          }),
          RUNS,
        )
      })

      it('gives the same bytes while the run is active and after its end', () => {
        fc.assert(
          fc.property(completeLogs, fc.nat(), (log, pick) => {
            const cut = pick % log.length
            const early = bytesOf(protocol, log.slice(0, cut), { view })
            const late = bytesOf(protocol, log, { view, after: { ...startCursor, seq: cut } })
            // A heartbeat may come here: it is no part of a frame.
            expect(early.subarray(-1).toString()).toMatch(/^\n?$/)
            expect(Buffer.concat([early, late]).equals(bytesOf(protocol, log, { view }))).toBe(true)
          }),
          RUNS,
        )
      })
    },
  )

  const numbered = Object.entries(formats).filter(([, { protocol }]) => protocol.framing === 'events')

  describe.each(numbered)('any log in %s', (name, { protocol, view }) => {
    it('gives exactly the rest after a break at any byte', () => {
      fc.assert(
        fc.property(anyLogs, fc.nat(), (log, pick) => {
          const full = bytesOf(protocol, log, { view })
          const events = eventsOf(full)
          const torn = pick % (full.length + 1)
          expect(eventsOf(full.subarray(0, torn))).toEqual(events.filter(({ end }) => end <= torn))
          for (const { id, end } of events) {
            const rest = bytesOf(protocol, log, { view, after: parseCursor(id ?? '0') })
            expect(rest.equals(full.subarray(end)), `${name} after ${id}`).toBe(true)
          }
        }),
        RUNS,
      )
    })
  })
}
