import * as fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'

import type { LogEntry, RunEvent } from '../events/index.ts'
import { completeLogs } from '../protocols/arbitrary-logs.fixture.ts'
import { newRun, type StorePair } from './store-claims.contract.ts'
import type { Reading, Store } from './store.ts'

const text = (delta: string): RunEvent => ({ type: 'text.delta', partId: 'run_1.1', delta })
const finished: RunEvent = {
  type: 'run.finished',
  reason: 'stop',
  usage: { inputTokens: 1, outputTokens: 2 },
}
const ALL = Number.MAX_SAFE_INTEGER

/** Packs what has ended until now, piece by piece, and gives the number of pieces. */
async function packAll(store: Store): Promise<number> {
  let pieces = 0
  while (await store.pack(Date.now() + 1)) pieces += 1
  return pieces
}

/** The numbers of the entries that were read, or the error. */
const seqsOf = (reading: Promise<LogEntry[]>): Promise<unknown> =>
  reading.then(
    (entries) => entries.map(({ seq }) => seq),
    (error: unknown) => error,
  )

/** The logs of those that have ended: packed, and let go of. */
export function describeRetention(pair: () => StorePair): void {
  describe('a log that is packed', () => {
    let runs = 0
    /** A run that has said all that, in groups as a writer commits them. */
    const ended = async (events: readonly RunEvent[]): Promise<string> => {
      const id = `run_kept_${++runs}`
      await pair().store.create(newRun(id, { threadId: `conv_${id}` }), 'reject')
      for (let at = 0; at < events.length; at += 7) await pair().store.append(id, events.slice(at, at + 7))
      return id
    }
    const read = (id: string, after = 0, what: Reading = { limit: ALL }): Promise<LogEntry[]> =>
      pair().other.read(id, after, what)

    it('gives the very same entries, of any log, from any place', async () => {
      const readRequest = fc.record({
        after: fc.nat(60),
        to: fc.option(fc.nat(60), { nil: ALL }),
        limit: fc.oneof(fc.nat(20), fc.constant(ALL)),
        structure: fc.boolean(),
        joined: fc.boolean(),
        maxBytes: fc.oneof(fc.nat(2000), fc.constant(Infinity)),
      })
      await fc.assert(
        fc.asyncProperty(completeLogs, fc.array(readRequest, { maxLength: 6 }), async (log, looks) => {
          const id = await ended(log.slice(1).map(({ event }) => event))
          const reads = () => {
            const some = looks.map(({ after, structure, joined, ...what }) =>
              read(id, after, { ...what, ...(structure && { structure }), ...(joined && { joined }) }).catch(
                (error: unknown) => error,
              ),
            )
            return Promise.all([read(id), ...some])
          }
          const before = await reads()

          await packAll(pair().store)

          expect(await reads()).toEqual(before)
        }),
        { numRuns: 40, seed: 20_261_122 },
      )
    }, 60_000)

    it('is read in pages of at most so many bytes, packed and unpacked', async () => {
      const large = '软'.repeat(2000)
      const id = await ended([text('a'.repeat(500)), text('b'.repeat(500)), text(large), text('c'), finished])
      const pages = (): Promise<unknown[]> => {
        const pairs = [
          [0, 1_000_000],
          [1, 1000],
          [1, 999],
          [3, 5999],
          [3, 6000],
        ] as const
        return Promise.all(pairs.map(([after, maxBytes]) => seqsOf(read(id, after, { maxBytes }))))
      }
      const expected = [[1, 2, 3, 4, 5, 6], [2, 3], [2], { code: 'too-large', details: { bytes: 6000 } }, [4]]

      expect(await pages()).toMatchObject(expected)
      await packAll(pair().store)
      expect(await pages()).toMatchObject(expected)
    })

    it('is read the same while it is packed, also a long one of large pieces', async () => {
      const events = Array.from({ length: 2000 }, (_none, n) =>
        n % 300 === 299
          ? ({ type: 'data', name: 'card', value: n } as const)
          : text(n % 500 === 0 ? '软件😀"\n'.repeat(10_000) : `${n} `),
      )
      const id = await ended([...events, finished])
      const whole = await read(id)

      let more = true
      while (more) {
        more = await pair().store.pack(Date.now() + 1)
        expect(await read(id, 990, { limit: 40 })).toEqual(whole.slice(990, 1030))
      }

      expect(await read(id)).toEqual(whole)
      expect(await read(id, 0, { structure: true })).toHaveLength(8)
      expect(await pair().store.get(id)).toMatchObject({ lastSeq: 2002, pruned: false })
    })

    it('is one of many that several pack at once, each of them once', async () => {
      const logs = Array.from({ length: 60 }, (_none, run) =>
        Array.from({ length: run * 3 }, (_delta, n) => text(`${n} `.repeat(run % 7 === 0 ? 900 : 1))),
      )
      const ids: string[] = []
      for (const log of logs) ids.push(await ended([...log, finished]))
      const before = await Promise.all(ids.map((id) => read(id)))
      expect(await pair().store.backlog(Date.now() + 1)).toMatchObject({ oldestAt: expect.any(Number) })

      const pieces = await Promise.all([pair().store, pair().other, pair().store].map(packAll))

      expect(await Promise.all(ids.map((id) => read(id)))).toEqual(before)
      expect(await pair().other.backlog(Date.now() + 1)).toMatchObject({ unpacked: 0 })
      expect(Math.max(...pieces)).toBeLessThan(60)
    })

    it('is one that has ended for so long, whoever packs it', async () => {
      const live = newRun('run_live', { threadId: 'conv_live' })
      await pair().store.create(live, 'reject')
      await pair().store.append('run_live', [text('a')])
      const id = await ended([text('a'), text('b'), finished])
      const before = await read(id)

      expect(await pair().store.pack(Date.now() - 60_000)).toBe(false)
      await Promise.all([packAll(pair().store), packAll(pair().other)])

      expect(await read(id)).toEqual(before)
      await pair().store.append('run_live', [text('b'), finished])
      expect(await read('run_live')).toHaveLength(4)
      await pair().store.remove(`conv_${id}`)
      await expect(read(id)).rejects.toMatchObject({ code: 'not-found' })
    })
  })

  describe('a run that stands in no conversation', () => {
    const alone = (n: number): Promise<unknown> =>
      pair().store.create(newRun(`run_${n}`, { threadId: `once_${n}`, key: `key:dice:${n}` }), 'reject')

    it.each([false, true])(
      'is removed once it has ended, with all it said (packed: %s)',
      async (isPacked) => {
        await alone(1)
        await pair().store.append('run_1', [text('a'), finished])
        if (isPacked) await packAll(pair().store)

        expect(await pair().store.discard(Date.now() - 60_000)).toBe(false)
        expect(await pair().store.read('run_1', 0)).toHaveLength(3)
        expect(await pair().store.discard(Date.now() + 1)).toBe(false)

        expect(await pair().other.get('run_1')).toBeUndefined()
        expect(await pair().other.find('ada', 'key:dice:1')).toBeUndefined()
        expect(await pair().other.find('ada', 'msg_run_1')).toBeUndefined()
        await expect(pair().other.read('run_1', 0)).rejects.toMatchObject({ code: 'not-found' })
        expect(await pair().store.list('once_1', { limit: 9 })).toEqual([])
        await alone(1)
        expect(await pair().store.read('run_1', 0)).toHaveLength(1)
      },
    )

    it('is kept while it goes on, and takes none with it that stands in one', async () => {
      await alone(1)
      await pair().store.create(newRun('run_2'), 'reject')
      await pair().store.append('run_2', [text('a'), finished])

      await pair().store.discard(Date.now() + 1)

      expect(await pair().store.get('run_1')).toMatchObject({ status: 'running' })
      expect(await pair().store.read('run_2', 0)).toHaveLength(3)
    })

    it('is removed with any number of others, a piece at a time', async () => {
      for (let n = 0; n < 45; n += 1) {
        await alone(n)
        await pair().store.append(`run_${n}`, [finished])
      }

      let more = true
      while (more) more = await pair().store.discard(Date.now() + 1)

      expect((await pair().other.changed(undefined, 100)).runs).toEqual([])
    })
  })

  describe('a log that is let go of', () => {
    let remaining: { key: string }
    beforeEach(async () => {
      remaining = { key: 'key:dice:k' }
      await pair().store.create(newRun('run_1', remaining), 'reject')
      await pair().store.append('run_1', [text('a'), finished])
      await pair().store.create(newRun('run_2', { threadId: 'conv_2' }), 'reject')
    })

    it.each([false, true])('is refused to readers, and its row stays (packed: %s)', async (isPacked) => {
      if (isPacked) await packAll(pair().store)

      expect(await pair().store.prune(Date.now() + 1)).toBe(false)

      const refusal = { code: 'log-pruned', details: { runId: 'run_1', conversationId: 'conv_1' } }
      for (const what of [{}, { structure: true }] as const) {
        await expect(pair().other.read('run_1', 2, what)).rejects.toMatchObject(refusal)
      }
      expect(await pair().other.get('run_1')).toMatchObject({ status: 'finished', lastSeq: 3, pruned: true })
      expect(await pair().other.find('ada', remaining.key)).toMatchObject({ id: 'run_1', pruned: true })
      expect(await pair().store.create(newRun('run_3', remaining), 'reject')).toMatchObject({
        created: false,
        run: { id: 'run_1' },
      })
      await expect(pair().store.append('run_1', [text('late')])).rejects.toMatchObject({ code: 'run-closed' })
      expect(await pair().store.claim('run_1', 'me')).toBeUndefined()
      expect(await packAll(pair().store)).toBe(0)
    })

    it('is none of a run that changed after a cursor', async () => {
      const { cursor } = await pair().store.changed(undefined, 100)
      await pair().store.append('run_2', [text('a'), finished])

      while (await pair().store.prune(Date.now() + 1, cursor));
      expect(await pair().other.get('run_1')).toMatchObject({ pruned: true })
      expect(await pair().other.get('run_2')).toMatchObject({ pruned: false })
      while (await pair().store.prune(Date.now() + 1));
      expect(await pair().other.get('run_2')).toMatchObject({ pruned: true })
    })

    it('is none of a run that goes on, or that ended later', async () => {
      await pair().store.prune(Date.now() - 60_000)

      expect(await pair().store.read('run_1', 0)).toHaveLength(3)
      await pair().store.prune(Date.now() + 1)
      expect(await pair().store.read('run_2', 0)).toHaveLength(1)
      expect(await pair().store.get('run_2')).toMatchObject({ pruned: false })
    })
  })
}
