import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { envelopeAnswers, type EnvelopeAnswer } from '../../src/client/index.ts'
import type { LogEntry } from '../../../../packages/dragoman/src/events/index.ts'
import { type Encoder } from '../../../../packages/dragoman/src/protocols/index.ts'
import { envelope } from '../../src/protocols/envelope/index.ts'
import { envelopesOf } from '../../src/protocols/envelope/validate-envelopes.fixture.ts'
import type { Envelope } from '../../src/protocols/envelope/wire.ts'
import { anyLogs, completeLogs } from '../../../../packages/dragoman/src/protocols/arbitrary-logs.fixture.ts'
import { lastEntryOf, parseCursor } from '../../../../packages/dragoman/src/server/fan-out/cursor.ts'
import { encodeEntries } from '../../../../packages/dragoman/src/server/fan-out/encode-entries.ts'
import { eventsOf } from '../../../../test/support/event-stream.ts'
import { bytesOf, framesOf, primed } from '../../../../test/laws/encoded.ts'
import { RUNS } from '../../../../test/laws/runs.ts'
import { run } from '../../../../packages/dragoman/src/protocols/stories.fixture.ts'
import { folded, contentOfFold } from '../../../../test/laws/message-content.ts'
import { contentOfEnvelopes } from './answer-content.ts'

const FULL = { responseMode: 'full' } as const
const some = { showThinking: true }

describe('envelopes of any run', () => {
  it('give the same answer in both modes', async () => {
    await fc.assert(
      fc.asyncProperty(anyLogs, fc.boolean(), async (log, showThinking) => {
        const increments = framesOf(envelope, log, { showThinking }).map(envelopesOf)
        const wholes = framesOf(envelope, log, { ...FULL, showThinking }).map(envelopesOf)
        const messages: Envelope[] = []
        for (const [index, frames] of increments.entries()) {
          messages.push(...frames)
          const full = wholes[index]?.at(-1)
          expect(full === undefined).toBe(frames.length === 0)
          if (full) expect(await lastOf([full], 'full')).toEqual(await lastOf(messages, 'incremental'))
        }
        expect(await lastOf(wholes.flat(), 'full')).toEqual(await lastOf(messages, 'incremental'))
      }),
      { ...RUNS, numRuns: 60 },
    )
  })

  it('give the same answer as fold', async () => {
    await fc.assert(
      fc.asyncProperty(anyLogs, async (log) => {
        const answer = await lastOf(framesOf(envelope, log, some).flatMap(envelopesOf), 'incremental')
        expect(contentOfEnvelopes(answer, wholeCallsOf(log))).toEqual(contentOfFold(folded(log)))
      }),
      RUNS,
    )
  })

  it('give the same answer after a reconnect at any cursor', async () => {
    await fc.assert(
      fc.asyncProperty(completeLogs, fc.nat(), async (log, pick) => {
        const bytes = bytesOf(envelope, log)
        const events = eventsOf(bytes)
        const cut = pick % (bytes.length + 1)
        const before = events.filter(({ end }) => end <= cut)
        const rest = eventsOf(bytesOf(envelope, log, { after: parseCursor(before.at(-1)?.id ?? '0') }))
        const frames = [...before, ...rest].map(({ data }) => data)

        expect(await lastOf(envelopesOf(frames), 'incremental')).toEqual(
          await lastOf(envelopesOf(events.map(({ data }) => data)), 'incremental'),
        )
      }),
      RUNS,
    )
  })

  it('contain everything up to their cursor if entries are coalesced, and include the last', () => {
    const sizes = fc.infiniteStream(fc.integer({ min: 1, max: 8 }))
    fc.assert(
      fc.property(anyLogs, sizes, fc.boolean(), (log, batches, legacyEvents) => {
        const view = { ...FULL, legacyEvents }
        const each = framesOf(envelope, log, view)
        const events = together(primed(envelope, [], view), log, batches)
        for (const { id, data } of events) {
          const upTo = log.slice(0, lastEntryOf(parseCursor(id ?? '0')))
          expect(envelopesOf([data])).toEqual(isLegacy(data) ? [] : [lastWhole(upTo)])
        }
        const all = events.map(({ data }) => data)
        // Legacy frames are never skipped.
        expect(all.filter(isLegacy)).toEqual(each.flat().filter(isLegacy))
        expect(envelopesOf(all).at(-1)).toEqual(lastWhole(log))
      }),
      RUNS,
    )
  })

  it('can be continued from any of them', () => {
    fc.assert(
      fc.property(completeLogs, fc.nat(), (log, pick) => {
        const after = pick % log.length
        const encoder = envelope.encoder({ run, view: FULL })
        // The transport drops the earlier frames, too.
        for (const entry of log.slice(0, after)) encoder(entry, true)
        const frames = log.slice(after).map((entry, index, all) => encoder(entry, index < all.length - 1))
        expect(envelopesOf(frames.flat())).toEqual([lastWhole(log)])
      }),
      RUNS,
    )
  })
})

/** What a client has at the end of these. */
async function lastOf(frames: readonly Envelope[], mode: 'incremental' | 'full'): Promise<EnvelopeAnswer> {
  const envelopes = (async function* () {
    yield* frames
  })()
  const [answer] = (await Array.fromAsync(envelopeAnswers(envelopes, mode))).slice(-1)
  if (!answer) throw new Error('nothing was said')
  return answer
}

/** Those whose input has come whole. */
function wholeCallsOf(log: readonly LogEntry[]): Set<string> {
  return new Set(log.flatMap(({ event }) => (event.type === 'tool.called' ? [event.callId] : [])))
}

/** What all of it is in one. */
function lastWhole(log: readonly LogEntry[]): Envelope | undefined {
  return envelopesOf(framesOf(envelope, log, FULL).flat()).at(-1)
}

/** The events of a log that comes in batches. */
function together(encoder: Encoder, log: readonly LogEntry[], sizes: Iterable<number>) {
  const bytes: Uint8Array[] = []
  let at = 0
  for (const size of sizes) {
    if (at >= log.length) break
    const batch = log.slice(at, at + size)
    bytes.push(encodeEntries(batch, { encoder, framing: 'events', numbered: true }).bytes)
    at += size
  }
  return eventsOf(Buffer.concat(bytes))
}

function isLegacy(frame: string): boolean {
  return !('messages' in (JSON.parse(frame) as object))
}
