import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import type { LogEntry, RunEvent } from '../../events/index.ts'
import { runLog } from '../../log/index.ts'
import { completeLogs } from '../../protocols/arbitrary-logs.fixture.ts'
import { agUiProtocol, useAi } from '@dragoman/ag-ui/protocol'
import { dataStream, native, uiMessageStream } from '../../protocols/index.ts'
import { historyBefore, run as exampleRun } from '../../protocols/stories.fixture.ts'
import { memoryNotifier, memoryStore } from '../../stores/memory/index.ts'
import { createPageReader } from '../load/index.ts'
import { createRoomyLoad, usedOf } from '../load/load.fixture.ts'
import { encodeEntries } from './encode-entries.ts'
import { createFanOut, type Feed } from './index.ts'

const { signal } = new AbortController()

/** Some deltas are as large as many pages of a log. */
const largeLogs = fc
  .tuple(completeLogs, fc.array(fc.constantFrom(1, 1, 30_000, 100_000), { minLength: 1 }))
  .map(([log, lengths]) => log.map(({ event }, at) => grow(event, lengths[at % lengths.length] ?? 1)))

function grow(event: RunEvent, length: number): RunEvent {
  if (event.type !== 'text.delta' && event.type !== 'reasoning.delta') return event
  return { ...event, delta: event.delta.padEnd(length, '软') }
}

async function readAll(feed: Feed): Promise<{ text: string; pages: number }> {
  const pages: Uint8Array[] = []
  for (let chunk = feed.take(); chunk !== 'end'; chunk = feed.take()) {
    if (chunk === 'wait') await new Promise<void>((resolve) => feed.whenMore(resolve))
    else pages.push(chunk)
  }
  feed.close()
  return { text: Buffer.concat(pages).toString(), pages: pages.length }
}

it.each([native, uiMessageStream, dataStream, agUiProtocol, useAi])(
  'gives a reader of $name in pages what one page would have',
  async (protocol) => {
    let mostPages = 0
    await fc.assert(
      fc.asyncProperty(largeLogs, fc.double({ min: 0, max: 0.99, noNaN: true }), async (events, part) => {
        await using store = memoryStore()
        await store.create({ ...exampleRun, threadId: 'conv_1' }, 'reject')
        await store.append(exampleRun.id, events.slice(1))
        const run = await store.get(exampleRun.id)
        if (!run) throw new Error('no run')
        const all: readonly LogEntry[] = await store.read(run.id, 0, { limit: 1e9 })
        const view = protocol.view({}, {})
        const before = protocol.needsThread && historyBefore
        const encoder = protocol.encoder({ run, view, ...(before && { before }) })
        const seq = protocol.framing === 'events' ? Math.floor(part * all.length) : 0
        const { framing, eventName, numbered } = protocol
        encodeEntries(all.slice(0, seq), { encoder, framing, eventName, numbered })
        const whole = encodeEntries(all.slice(seq), { encoder, framing, eventName, numbered })

        const load = createRoomyLoad()
        const fanOut = createFanOut({ store, log: runLog(store, memoryNotifier()) })
        const history = { bytes: async () => 1e6, read: async () => historyBefore }
        const request = { run, protocol, view, numbered, after: { seq, frames: 0 } }
        const pages = createPageReader(load.share({ userId: 'ada' }), signal)
        const feed = await fanOut.open({ ...request, ...(before && { history }) }, pages)
        const result = await readAll(feed)

        expect(result.text === Buffer.from(whole.bytes).toString()).toBe(true)
        expect([usedOf(load, 'bytesUnsent'), usedOf(load, 'expensiveReads')]).toEqual([0, 0])
        mostPages = Math.max(mostPages, result.pages)
      }),
      { numRuns: 50 },
    )
    // What an encoder remembers that remembers all is gone before its reader takes anything.
    if (protocol === useAi) expect(mostPages).toBe(1)
    else expect(mostPages).toBeGreaterThan(3)
  },
  60_000,
)
