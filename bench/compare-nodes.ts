import type { Store } from '../packages/dragoman/src/log/index.ts'
import { runLog } from '../packages/dragoman/src/log/index.ts'
import type { PostgresStorage } from '../packages/postgres/src/index.ts'
import { createRuns, owner, percentile, speak } from './append-load.ts'
import type { Comparison } from './comparison.ts'
import { median } from './readers.ts'

const TAIL_RUNS = 20
const TAIL_SECONDS = 4
const LIVE_RUNS = 10_000
const CLAIMABLE_TURNS = 50

/** Runs that one node writes and another one follows. Both are in this process. */
export async function measureTail(a: PostgresStorage, b: PostgresStorage): Promise<Comparison[]> {
  let reads = 0
  const readCounter: Store = {
    ...b.store,
    read: (...args) => {
      reads += 1
      return b.store.read(...args)
    },
  }
  const [writer, reader] = [runLog(a.store, a.notifier), runLog(readCounter, b.notifier)]
  const ids = await createRuns(a.store, TAIL_RUNS)
  const over = new AbortController()
  const bornAt = new Map<string, number>()
  const times: number[] = []
  const firstTaken = ids.map(() => Promise.withResolvers<void>())
  const following = ids.map(async (id, index) => {
    for await (const entries of reader.follow(id, 0, over.signal)) {
      firstTaken[index]?.resolve()
      for (const { seq } of entries) {
        const born = bornAt.get(`${id}/${seq}`)
        if (born !== undefined) times.push(performance.now() - born)
      }
    }
  })
  await Promise.all(firstTaken.map(({ promise }) => promise))
  // Each follower has read its log once.
  reads = 0
  const seqs = new Map<string, number>()
  await speak(ids, TAIL_SECONDS, async (id, delta) => {
    const seq = (seqs.get(id) ?? 1) + 1
    seqs.set(id, seq)
    bornAt.set(`${id}/${seq}`, performance.now())
    await writer.append(id, [{ type: 'text.delta', partId: `${id}.1`, delta }], { epoch: 1 })
  })
  const readsWhileTold = reads
  over.abort()
  await Promise.all(following)
  const name = `${TAIL_RUNS} runs on another node`
  return [
    { what: `${name}: p50`, unit: 'ms', postgres: median(times) },
    { what: `${name}: p99`, unit: 'ms', postgres: percentile(times, 0.99), target: { most: 20 } },
    { what: `${name}: reads`, unit: 'a token', postgres: readsWhileTold / times.length, target: { most: 0 } },
  ]
}

/** How long a node looks for work while another one drives thousands of runs. */
export async function measureClaimable(sqlite: Store, postgres: Store): Promise<Comparison> {
  const other = 'other-host/1/bench'
  const times = async (store: Store): Promise<number> => {
    await store.alive(other, 600_000)
    await createRuns(store, LIVE_RUNS, other)
    const found: number[] = []
    for (let turn = 0; turn < CLAIMABLE_TURNS; turn++) {
      const began = performance.now()
      await store.claimable(owner)
      found.push(performance.now() - began)
    }
    return median(found)
  }
  return {
    what: `claimable, ${LIVE_RUNS.toLocaleString('en-US')} live runs of others: p50`,
    unit: 'ms',
    sqlite: await times(sqlite),
    postgres: await times(postgres),
    target: { most: 5 },
  }
}
