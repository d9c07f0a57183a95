import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import type { RunSummary } from '../../events/index.ts'
import { createReaderDepartures } from '../fan-out/reader-departures.ts'
import { hasNoReader } from './has-no-reader.ts'

// No time passes but what a test lets pass: a wait for a timer never ends.
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'Date'] }))
afterEach(() => vi.useRealTimers())

/** A run that has begun now, with so many readers. */
function runWith(readers: number) {
  const departures = createReaderDepartures(60_000)
  const run = {
    id: 'run_1',
    userId: 'local',
    createdAt: Date.now(),
    status: 'streaming',
  } as unknown as RunSummary
  const state = { readers }
  const closing = new AbortController()
  return {
    leave() {
      state.readers -= 1
      departures.record(run.id)
    },
    closing,
    ask: () =>
      hasNoReader(
        run,
        {
          isRead: () => state.readers > 0,
          departures,
          since: run.createdAt,
        },
        { summaries: async () => [run] },
        closing.signal,
      ),
  }
}

describe('a run has no reader', () => {
  it('at once if its reader has left', async () => {
    const run = runWith(1)
    run.leave()

    expect(await run.ask()).toBe(true)
  })

  it('as soon as its last reader leaves', async () => {
    const run = runWith(2)
    const answer = run.ask()
    run.leave()
    await Promise.resolve()
    run.leave()

    expect(await answer).toBe(true)
  })

  it('unless its request has ended meanwhile', async () => {
    const run = runWith(1)
    const answer = run.ask()
    run.closing.abort()

    expect(await answer).toBe(false)
  })
})
