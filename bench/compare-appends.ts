import { DatabaseSync } from 'node:sqlite'

import type { Store } from '../packages/dragoman/src/log/index.ts'
import { runLog } from '../packages/dragoman/src/log/index.ts'
import { memoryNotifier } from '../packages/dragoman/src/stores/index.ts'
import { createRuns, percentile, speak } from './append-load.ts'
import type { Comparison } from './comparison.ts'
import { median } from './readers.ts'
import type { BenchDatabase } from './postgres-database.ts'

const RUNS = [1, 100, 200] as const
const ROUNDS = 3
const SECONDS = 4

type Figures = { readonly p50: number; readonly p99: number; readonly cpu: number; readonly server: number }
type Subjects = {
  readonly sqlite: Store
  readonly file: string
  readonly postgres: Store
  readonly database: BenchDatabase
}

/**
 * Appends one delta a token, in turn to one database and to the other. The time is from the token to its commit, with
 * the wait for the group that all runs share.
 */
export async function compareAppends({ sqlite, file, postgres, database }: Subjects): Promise<Comparison[]> {
  const rows: Comparison[] = []
  const before = { file: fileSize(file), database: await database.size(), wal: await database.wal() }
  await measureAppends(sqlite, 20, database)
  await measureAppends(postgres, 20, database)
  for (const runs of RUNS) {
    const rounds: { readonly sqlite: Figures; readonly postgres: Figures }[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({
        sqlite: await measureAppends(sqlite, runs, database),
        postgres: await measureAppends(postgres, runs, database),
      })
    rows.push(...toRows(runs, rounds))
  }
  const tokens = SECONDS * 50 * (20 + ROUNDS * RUNS.reduce((sum, runs) => sum + runs, 0))
  const grown = async (): Promise<Comparison[]> => [
    {
      what: 'disk, live',
      unit: 'B a token',
      sqlite: (fileSize(file) - before.file) / tokens,
      postgres: ((await database.size()) - before.database) / tokens,
      target: { times: 2.2 },
    },
    {
      what: 'write-ahead log',
      unit: 'B a token',
      postgres: ((await database.wal()) - before.wal) / tokens,
      target: { most: 260 },
    },
  ]
  return [...rows, ...(await grown())]
}

async function measureAppends(store: Store, runs: number, database: BenchDatabase): Promise<Figures> {
  const ids = await createRuns(store, runs)
  const log = runLog(store, memoryNotifier())
  const nextGroup = (): Promise<void> => new Promise((resolve) => log.onGroupCommit(resolve))
  const times: number[] = []
  const [cpu, server] = [process.cpuUsage(), await database.cpu()]
  await speak(ids, SECONDS, async (runId, delta) => {
    const began = performance.now()
    await nextGroup()
    await store.append(runId, [{ type: 'text.delta', partId: `${runId}.1`, delta }], { epoch: 1 })
    times.push(performance.now() - began)
  })
  const { user, system } = process.cpuUsage(cpu)
  return {
    p50: median(times),
    p99: percentile(times, 0.99),
    cpu: (user + system) / times.length,
    server: ((await database.cpu()) - server) / times.length,
  }
}

/** The medians of the rounds: a stall of the machine spoils one round of one database. */
function toRows(
  runs: number,
  rounds: readonly { readonly sqlite: Figures; readonly postgres: Figures }[],
): Comparison[] {
  const of = (figure: keyof Figures) => ({
    sqlite: median(rounds.map(({ sqlite }) => sqlite[figure])),
    postgres: median(rounds.map(({ postgres }) => postgres[figure])),
  })
  const name = `append, ${runs} ${runs === 1 ? 'run' : 'runs'}`
  return [
    { what: `${name}: p50`, unit: 'ms', ...of('p50'), target: { times: 1.5 } },
    { what: `${name}: p99`, unit: 'ms', ...of('p99'), target: { times: 2 } },
    {
      what: `${name}: CPU of the node`,
      unit: 'µs a token',
      ...of('cpu'),
      ...(runs === 100 && { target: { times: 0.8 } }),
    },
    { what: `${name}: CPU of PostgreSQL`, unit: 'µs a token', postgres: of('server').postgres },
  ]
}

/** With what is in its write-ahead log alone. */
function fileSize(file: string): number {
  const db = new DatabaseSync(file, { readOnly: true })
  const size = db
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()')
    .get() as { bytes: number }
  db.close()
  return size.bytes
}
