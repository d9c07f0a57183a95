import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { LogEntry, RunEvent } from '../../events/index.ts'
import { runLog, type RunLog, type Store } from '../../log/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { openSqlite } from './index.ts'

const delta = (text: string): RunEvent => ({ type: 'text.delta', partId: 'run_1.1', delta: text })
const stop: RunEvent = { type: 'run.stop-requested', by: 'ada' }
const usage = { inputTokens: 0, outputTokens: 0 }
const finished: RunEvent = { type: 'run.finished', reason: 'stop', usage }

type Side = { readonly store: Store; readonly log: RunLog }

let folder: string
let file: string
let sides: Side[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dragoman-'))
  file = join(folder, 'a.db')
  sides = [openSide(), openSide()]
  for (const { store } of sides) await store.ping() // Open before anybody locks the file.
})
afterEach(async () => {
  for (const { store } of sides) await store[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

function openSide(): Side {
  const { store, notifier } = openSqlite(file)
  return { store, log: runLog(store, notifier) }
}

const side = (index: number): Side => sides[index % 2] ?? openSide()

/** What the file says of an entry with the word `full` in it, as a disk that is full would, until it is called off. */
function fullFor(word: string, how: 'ABORT' | 'ROLLBACK' = 'ABORT'): () => void {
  const db = new DatabaseSync(file, { timeout: 5000 })
  for (const table of ['run_entries', 'run_tail'])
    db.exec(
      `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} WHEN new.body LIKE '%${word}%'
       BEGIN SELECT RAISE(${how}, 'disk full'); END`,
    )
  return () => {
    db.exec('DROP TRIGGER full_run_entries; DROP TRIGGER full_run_tail')
    db.close()
  }
}

async function followed({ log }: Side, runId: string): Promise<LogEntry[]> {
  const entries: LogEntry[] = []
  for await (const batch of log.follow(runId, 0, new AbortController().signal)) entries.push(...batch)
  return entries
}

type Move =
  | { readonly kind: 'say'; readonly by: number; readonly events: RunEvent[] }
  | { readonly kind: 'rest'; readonly by: number; readonly behind: number }
  | { readonly kind: 'fail'; readonly by: number; readonly how: 'ABORT' | 'ROLLBACK' }
  | { readonly kind: 'claim'; readonly by: number }
  | { readonly kind: 'follow'; readonly by: number }

const by = fc.nat({ max: 1 })
const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('say' as const),
        by,
        events: fc.array(fc.oneof(fc.string().map(delta), fc.constant(stop)), { minLength: 1, maxLength: 4 }),
      }),
    },
    fc.record({ kind: fc.constant('rest' as const), by, behind: fc.nat({ max: 2 }) }),
    fc.record({
      kind: fc.constant('fail' as const),
      by,
      how: fc.constantFrom('ABORT' as const, 'ROLLBACK' as const),
    }),
    fc.record({ kind: fc.constant('claim' as const), by }),
    fc.record({ kind: fc.constant('follow' as const), by }),
  ),
  { minLength: 1, maxLength: 25 },
)

let runs = 0

/** Plays the moves against both stores and a plain list, and gives what followers saw. */
async function played(all: readonly Move[]): Promise<{ wanted: RunEvent[]; seen: LogEntry[][] }> {
  const id = `run_law_${++runs}`
  const { run } = await side(0).store.create(newRun(id, { threadId: `conv_${id}` }), 'reject')
  const expected: RunEvent[] = [
    { type: 'run.started', agent: run.agent, messageId: run.request.messageId, input: run.request.input },
  ]
  let epoch = 0
  const following = [followed(side(0), id), followed(side(1), id)]
  for (const move of all) {
    const { store, log } = side(move.by)
    switch (move.kind) {
      case 'say': {
        const entries = await log.append(id, move.events, { epoch })
        expect(entries[0]?.seq).toBe(expected.length + 1)
        expected.push(...move.events)
        break
      }
      case 'rest': {
        const rests = log.append(id, [delta('rests')], { ifLast: expected.length - move.behind })
        if (move.behind > 0) await expect(rests).rejects.toMatchObject({ code: 'conflict' })
        else expected.push(...(await rests).map(({ event }) => event))
        break
      }
      case 'fail': {
        const mend = fullFor('poison', move.how)
        await expect(log.append(id, [delta('lost'), delta('poison')])).rejects.toMatchObject({
          code: 'unavailable',
        })
        mend()
        break
      }
      case 'claim': {
        epoch += 1
        expect(await store.claim(id, `elsewhere/1/${epoch}`)).toBe(epoch)
        const fenced = side(move.by + 1).log.append(id, [delta('late')], { epoch: epoch - 1 })
        await expect(fenced).rejects.toMatchObject({ code: 'fenced' })
        break
      }
      case 'follow':
        following.push(followed(side(move.by), id))
    }
    const other = side(move.by + 1).store
    expect(await other.get(id)).toMatchObject({ epoch, lastSeq: expected.length })
  }
  await side(runs).log.append(id, [finished])
  const results = await Promise.all(following)
  for (const { store } of sides) results.push(await store.read(id, 0))
  return { wanted: [...expected, finished], seen: results }
}

describe('two processes on one file', () => {
  it('have one log: each follower on either side sees every entry once, in order', async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const { wanted, seen } = await played(all)
        for (const entries of seen) {
          expect(entries.map(({ event }) => event)).toEqual(wanted)
          expect(entries.map(({ seq }) => seq)).toEqual(wanted.map((_event, index) => index + 1))
          expect(entries).toEqual(seen[0])
          const times = entries.map(({ at }) => at)
          expect(times).toEqual(times.toSorted((a, b) => a - b))
        }
      }),
      { numRuns: 40, seed: 20_261_122 },
    )
  }, 60_000)

  it('lose nothing where both append as fast as they can', async () => {
    await side(0).store.create(newRun('run_1'), 'reject')
    const following = [0, 1, 0, 1].map((index) => followed(side(index), 'run_1'))
    const reads: Promise<LogEntry[]>[] = []
    for (let n = 0; n < 300; n++) {
      reads.push(side(n).log.append('run_1', [delta(`${n} `), ...(n % 7 === 0 ? [stop] : [])]))
      if (n % 10 === 0) await reads.at(-1)
    }
    const appended = (await Promise.all(reads)).flat().toSorted((a, b) => a.seq - b.seq)
    const [end] = await side(1).log.append('run_1', [finished])

    for (const entries of await Promise.all(following)) {
      expect(entries.slice(1)).toEqual([...appended, end])
    }
  })

  it('see what the other changed and left, whatever they remember', async () => {
    const [here, there] = [side(0).store, side(1).store]
    await here.create(newRun('run_1'), 'reject')
    await here.claim('run_1', 'elsewhere/1/a')
    await here.append('run_1', [delta('a')], { epoch: 1 })
    expect((await there.changed(undefined, 10)).runs.map(({ lastSeq }) => lastSeq)).toEqual([2])

    await there.append('run_1', [finished])

    expect(await here.claimable('me')).toEqual([])
    await expect(here.append('run_1', [delta('b')], { epoch: 1 })).rejects.toMatchObject({
      code: 'run-closed',
    })
    await there.remove('conv_1')
    await expect(here.append('run_1', [delta('b')])).rejects.toMatchObject({ code: 'not-found' })
    await there.create(newRun('run_1'), 'reject')
    expect(await here.append('run_1', [delta('b')], { ifLast: 1, epoch: 0 })).toMatchObject([{ seq: 2 }])
  })
})

describe('what cannot be written', () => {
  it('takes nothing else with it that was asked in the same moment', async () => {
    const { store } = side(0)
    await store.create(newRun('run_1'), 'reject')
    await store.create(newRun('run_2', { threadId: 'conv_2' }), 'reject')
    const mend = fullFor('poison')

    const [before, poison, after, reading] = await Promise.allSettled([
      store.append('run_1', [delta('before')], { ifLast: 1 }),
      store.append('run_2', [delta('poison')]),
      store.append('run_1', [delta('after')], { ifLast: 2 }),
      store.read('run_2', 0),
    ])

    mend()
    expect(poison).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    expect([before.status, after.status, reading.status]).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(await store.get('run_1')).toMatchObject({ lastSeq: 3 })
    expect(await side(1).store.get('run_2')).toMatchObject({ lastSeq: 1 })
  })

  it('is what is asked of a store that has closed, and nothing that was asked before', async () => {
    const store = openSide().store
    await store.create(newRun('run_1'), 'reject')

    const [said, closed, again, late] = await Promise.allSettled([
      store.append('run_1', [delta('last words')]),
      store[Symbol.asyncDispose](),
      store[Symbol.asyncDispose](),
      store.append('run_1', [delta('too late')]),
    ])

    expect([said.status, closed.status, again.status]).toEqual(['fulfilled', 'fulfilled', 'fulfilled'])
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } })
    expect(await side(0).store.get('run_1')).toMatchObject({ lastSeq: 2 })
  })

  it('is waited for while another writes, and the rest can be read', async () => {
    const { store, log } = side(0)
    await store.create(newRun('run_1'), 'reject')
    const following = followed(side(1), 'run_1')
    const writer = new DatabaseSync(file)
    writer.exec('BEGIN IMMEDIATE')

    const append = log.append('run_1', [delta('a'), finished])
    expect(await side(1).store.get('run_1')).toMatchObject({ lastSeq: 1 })
    writer.exec('ROLLBACK')
    writer.close()
    expect(await append).toHaveLength(2)
    expect(await following).toHaveLength(3)
  })
})
