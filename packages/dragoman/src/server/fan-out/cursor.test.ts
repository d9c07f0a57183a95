import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { LogEntry, Run } from '../../events/index.ts'
import type { Reading } from '../../log/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { anyLogs } from '../../protocols/arbitrary-logs.fixture.ts'
import { memoryStore } from '../../stores/memory/index.ts'
import { checkCursor } from './check-cursor.ts'
import { formatCursor, formatFrameCursor, lastEntryOf, parseCursor } from './cursor.ts'

/** A run with that log. */
async function runOf(log: readonly LogEntry[]) {
  const { run } = await memoryStore().create(newRun('run_1'), 'reject')
  const read = async (_: string, after: number, { to = log.length }: Reading = {}) => log.slice(after, to)
  const store = { read }
  return { run: { ...run, lastSeq: log.length } satisfies Run, store }
}

/** A log that was restored after some entries, and went on later with other entries. */
const restored = fc
  .tuple(anyLogs, anyLogs, fc.nat(), fc.integer({ min: 1, max: 1e9 }))
  .map(([old, other, pick, later]) => {
    const whole = pick % (old.length + 1)
    const since = (old.at(-1)?.at ?? 0) + later
    const rest = other.slice(whole).map(({ seq, event }, index) => ({ seq, event, at: since + index }))
    return { old, whole, log: [...old.slice(0, whole), ...rest] }
  })

describe('a cursor', () => {
  it('comes back as it was sent', () => {
    fc.assert(
      fc.property(anyLogs, fc.nat(3), (log, more) => {
        for (const entry of log)
          for (let index = 0; index <= more; index++) {
            const text = formatFrameCursor(entry, index, more + 1)
            expect(formatCursor(parseCursor(text))).toBe(text)
            expect(lastEntryOf(parseCursor(text))).toBe(entry.seq)
          }
      }),
    )
    expect(formatCursor(parseCursor('12.s-1a2b3c'))).toBe('12.s-1a2b3c')
    for (const bad of ['', 'x', '1-', '1.1.1', '-1', '1-A', '1-12345678', '1.s.1', ' 1'])
      expect(() => parseCursor(bad), bad).toThrow('must be a cursor')
  })

  it('is accepted by each log that has its entry, and refused by a log that was restored before it', async () => {
    await fc.assert(
      fc.asyncProperty(restored, fc.boolean(), async ({ old, whole, log }, isPart) => {
        const { run, store } = await runOf(log)
        for (const entry of old) {
          const cursor = formatFrameCursor(entry, 0, isPart ? 2 : 1)
          const checked = checkCursor(store, run, cursor)
          if (entry.seq <= whole) expect(formatCursor(await checked)).toBe(cursor)
          else
            await expect(checked).rejects.toMatchObject({
              code: entry.seq > log.length ? 'cursor-ahead' : 'cursor-unknown',
              details: { runId: 'run_1', last: log.length, history: `/v1/threads/${run.threadId}/messages` },
            })
        }
      }),
    )
  })

  it('without a mark is accepted up to where another process has continued the run', async () => {
    await fc.assert(
      fc.asyncProperty(anyLogs, async (log) => {
        const { run, store } = await runOf(log)
        let isContinued = false
        for (const entry of log) {
          isContinued ||= entry.event.type === 'run.resumed' && entry.event.because !== 'answer'
          const checked = checkCursor(store, run, String(entry.seq))
          if (isContinued) await expect(checked).rejects.toMatchObject({ code: 'cursor-unknown' })
          else expect(formatCursor(await checked)).toBe(formatFrameCursor(entry, 0, 1))
          // Such a place in the server's own hands is one of this log.
          expect(await checkCursor(store, run, { seq: entry.seq, frames: 0 })).toMatchObject({
            seq: entry.seq,
          })
        }
        expect(await checkCursor(store, run, '0')).toEqual({ seq: 0, frames: 0 })
      }),
    )
  })
})
