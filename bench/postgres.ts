import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'

import { openSqlite } from '../packages/dragoman/src/stores/sqlite/index.ts'
import { openPostgres } from '../packages/postgres/src/index.ts'
import { hasPostgres } from '../test/support/postgres-server.ts'
import { compareAppends } from './compare-appends.ts'
import { measureClaimable, measureTail } from './compare-nodes.ts'
import { compareFirstTokens, measureKills, measureStops } from './compare-servers.ts'
import { formatComparisons, type Comparison } from './comparison.ts'
import { countStatements } from './count-statements.ts'
import { openBenchDatabase, type BenchDatabase } from './postgres-database.ts'

/**
 * Compares PostgreSQL with SQLite: on the server of this URL, in a database of its own, or else on a server that is
 * started for it and writes to the disk.
 */
export async function measurePostgres(url: string | undefined): Promise<string> {
  if (url === undefined && !hasPostgres()) return 'postgres: there is no server here. Name one with --url.'
  const database = await openBenchDatabase(url)
  try {
    const load = loadavg()[0]?.toFixed(1)
    const rows = [...(await compareDrivers(database)), ...(await compareServers(database))]
    const loads = `load of the machine ${load} at the begin, ${loadavg()[0]?.toFixed(1)} at the end`
    return `PostgreSQL beside SQLite, 50 tokens a second a run; ${loads}\n${formatComparisons(rows)}`
  } finally {
    await database.close()
  }
}

/** The logs alone. */
async function compareDrivers(database: BenchDatabase): Promise<Comparison[]> {
  const home = await mkdtemp(join(tmpdir(), 'dragoman-bench-'))
  const file = join(home, 'dragoman.db')
  const { store: sqlite } = openSqlite(file)
  const a = await openPostgres(database.url)
  const b = await openPostgres(database.url)
  try {
    await sqlite.ping()
    const appends = await compareAppends({ sqlite, file, postgres: a.store, database })
    const tail = await measureTail(a, b)
    return [...appends, ...tail, await measureClaimable(sqlite, a.store)]
  } finally {
    await sqlite[Symbol.asyncDispose]()
    await a.close()
    await b.close()
    await rm(home, { recursive: true })
  }
}

/** Whole servers. The runs before them are gone: no node must continue them. */
async function compareServers(database: BenchDatabase): Promise<Comparison[]> {
  await database.clear()
  return [
    ...(await compareFirstTokens(database.url)),
    await countStatements(database.url),
    await measureStops(database.url),
    await measureKills(database.url),
  ]
}
