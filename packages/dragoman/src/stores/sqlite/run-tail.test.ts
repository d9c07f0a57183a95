import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isStructural, type LogEntry, type RunEvent } from '../../events/index.ts'
import { joinedEntries, type Store } from '../../log/index.ts'
import { newRun } from '../../log/store-claims.contract.ts'
import { findDamagedRuns, openSqlite } from './index.ts'

const ALL = Number.MAX_SAFE_INTEGER
const RUNS = ['run_1', 'run_2', 'run_3'] as const
const delta = (text: string): RunEvent => ({ type: 'text.delta', partId: 'run_1.1', delta: text })
const stop: RunEvent = { type: 'run.stop-requested', by: 'ada' }
const usage = { inputTokens: 0, outputTokens: 0 }
const finished: RunEvent = { type: 'run.finished', reason: 'stop', usage }

let folder: string
let file: string
let stores: Store[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dragoman-'))
  file = join(folder, 'a.db')
  stores = [openSqlite(file).store, openSqlite(file).store]
})
afterEach(async () => {
  await Promise.all(stores.map((store) => store[Symbol.asyncDispose]()))
  await rm(folder, { recursive: true })
})

const storeOf = (index: number): Store => stores[index % 2] ?? openSqlite(file).store

function query<T>(text: string): T[] {
  using db = new DatabaseSync(file, { timeout: 5000 })
  return db.prepare(text).all() as T[]
}

const by = fc.nat({ max: 1 })
const run = fc.constantFrom(...RUNS)
const event = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 5 }).map(delta) },
  fc.constantFrom(delta('long '.repeat(200)), stop),
)
const look = fc.record({
  by,
  run,
  after: fc.nat(30),
  to: fc.option(fc.nat(30), { nil: ALL }),
  limit: fc.oneof(fc.nat(10), fc.constant(ALL)),
  kind: fc.constantFrom('all' as const, 'structure' as const, 'joined' as const),
})
type Look = typeof look extends fc.Arbitrary<infer T> ? T : never
const anyMove = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      by,
      run,
      events: fc.array(event, { minLength: 1, maxLength: 5 }),
    }),
  },
  fc.record({ kind: fc.constantFrom('end' as const, 'remove' as const), by, run }),
  fc.record({ kind: fc.constantFrom('pack' as const, 'prune' as const), by }),
)
type Move = typeof anyMove extends fc.Arbitrary<infer T> ? T : never
/** What is done, and who reads in the same moment. */
const moves = fc.array(
  fc.record({ move: anyMove, looks: fc.array(look, { maxLength: 3 }), sweeps: fc.boolean() }),
  {
    minLength: 5,
    maxLength: 30,
  },
)

/** The logs as they have to be. A run that was pruned has none. */
type Model = Map<string, { entries: LogEntry[] | undefined; hasEnded: boolean }>

async function play(model: Model, move: Move): Promise<void> {
  const store = storeOf(move.by)
  const log = 'run' in move ? model.get(move.run) : undefined
  switch (move.kind) {
    case 'pack':
      while (await store.pack(Date.now() + 1));
      return
    case 'prune':
      await store.prune(Date.now() + 1)
      for (const each of model.values()) if (each.hasEnded) each.entries = undefined
      return
    case 'remove':
      await store.remove(`conv_${move.run}`)
      model.delete(move.run)
      return
    default:
      if (log?.hasEnded) return
      if (!log) await create(model, move.run, store)
      await say(model, move, store)
  }
}

async function create(model: Model, id: string, store: Store): Promise<void> {
  await store.create(newRun(id, { threadId: `conv_${id}` }), 'reject')
  model.set(id, { entries: await store.read(id, 0), hasEnded: false })
}

async function say(model: Model, move: Extract<Move, { run: string }>, store: Store): Promise<void> {
  const log = model.get(move.run)
  const events = move.kind === 'say' ? move.events : [finished]
  const ifLast = log?.entries?.length ?? 0
  await expect(store.append(move.run, events, { ifLast: ifLast - 1 })).rejects.toMatchObject({
    code: 'conflict',
  })
  log?.entries?.push(...(await store.append(move.run, events, { ifLast })))
  if (log) log.hasEnded = move.kind === 'end'
}

/** What one who looks is to see of a log. */
function viewOf(entries: readonly LogEntry[], { after, to, limit, kind }: Look): readonly LogEntry[] {
  const found = entries.filter(
    ({ seq, event: each }) => seq > after && seq <= to && (kind !== 'structure' || isStructural(each)),
  )
  return kind === 'joined' ? joinedEntries(found.slice(0, limit)) : found.slice(0, limit)
}

const read = (store: Store, { run: id, after, to, limit, kind }: Look): Promise<LogEntry[]> =>
  store.read(id, after, { to, limit, ...(kind !== 'all' && { [kind]: true }) })

/** A copy of the files, as they are after the process was killed. */
async function expectAfterKill(model: Model): Promise<void> {
  const copy = await mkdtemp(join(tmpdir(), 'dragoman-'))
  for (const end of ['', '-wal']) await copyFile(`${file}${end}`, join(copy, `a.db${end}`))
  const { store } = openSqlite(join(copy, 'a.db'))
  for (const [id, { entries }] of model) {
    if (entries) expect(await store.read(id, 0, { limit: ALL })).toEqual(entries)
    if (entries) expect(await store.get(id)).toMatchObject({ lastSeq: entries.length })
  }
  await store[Symbol.asyncDispose]()
  using db = new DatabaseSync(join(copy, 'a.db'), { readOnly: true })
  expect(findDamagedRuns(db)).toEqual([])
  expect(db.prepare('SELECT count(*) AS rows FROM run_tail').get()).toEqual({ rows: 0 })
  await rm(copy, { recursive: true })
}

describe('the tail of the logs', () => {
  it('is seen by no reader, whenever its rows are moved, by whichever process, also after a kill', async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        const model: Model = new Map()
        for (const { move: next, looks, sweeps } of all) {
          await play(model, next)
          const sweeping = sweeps ? storeOf(next.by).pack(Date.now() + 1) : undefined
          for (const each of looks) {
            const entries = model.get(each.run)?.entries
            if (entries) expect(await read(storeOf(each.by), each)).toEqual(viewOf(entries, each))
          }
          await sweeping
        }
        await expectAfterKill(model)
        for (const id of RUNS) await storeOf(0).remove(`conv_${id}`)
        expect(query('SELECT run FROM run_tail UNION ALL SELECT run FROM run_entries')).toEqual([])
      }),
      { numRuns: 12, seed: 20_261_130 },
    )
  }, 120_000)
})
