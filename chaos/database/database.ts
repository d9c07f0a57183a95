import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { openTcpProxy, type TcpProxy } from '../../packages/postgres/src/tcp-proxy.fixture.ts'
import { openPooler, type Pooler } from './pooler.ts'
import { findPostgresBinaries, giveToOrdinaryUser, type PostgresBinaries } from './postgres-binaries.ts'
import { initializeServer, openServer, queryOnce, type PostgresServer } from './postgres-server.ts'
import { mountSmallDisk, type SmallDisk } from './small-disk.ts'

/** How long a standby may take to follow. */
const STANDBY_ATTEMPTS = 300
const STANDBY_PAUSE_MS = 100

/** How a standby follows: each commit waits for it, or it has only what is committed now. */
export type StandbyMode = 'remote_apply' | 'remote_write' | 'lagging'

/** The database of a campaign: one primary, and a proxy in front of it for each node. */
export interface ChaosDatabase extends AsyncDisposable {
  /** The nodes' proxies, in order. */
  readonly proxies: readonly TcpProxy[]
  readonly primary: PostgresServer
  readonly disk: SmallDisk | undefined
  readonly pooler: Pooler | undefined
  readonly canFailOver: boolean
  /** Adds a standby and waits until it follows. */
  addStandby(mode: StandbyMode): Promise<void>
  /** Ends the primary for ever, and leads all nodes to the standby. */
  failOver(): Promise<void>
  query<Row extends Record<string, unknown>>(text: string): Promise<Row[]>
}

export type DatabaseOptions = {
  readonly nodes: number
  /** Whether PgBouncer is between the nodes and the database. */
  readonly hasPooler: boolean
}

/** In a temporary folder. */
export async function openDatabase({ nodes, hasPooler }: DatabaseOptions): Promise<ChaosDatabase> {
  const binaries = findPostgresBinaries()
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-chaos-database-'))
  const disk = await mountSmallDisk(folder)
  await giveToOrdinaryUser(folder)
  const logFile = join(folder, 'postgres.log')
  const servers = createServers(binaries, folder, logFile)
  await servers.begin()
  // The pooler's address of the database never changes.
  const back = await openTcpProxy(servers.primary.url)
  const pooler = hasPooler ? await openPooler(folder, { target: back.url, mode: 'session' }) : undefined
  const target = pooler?.url ?? back.url
  const proxies = await Promise.all(Array.from({ length: nodes }, () => openTcpProxy(target)))
  return {
    proxies,
    get primary() {
      return servers.primary
    },
    disk,
    pooler,
    canFailOver: binaries.has('pg_basebackup'),
    addStandby: servers.addStandby,
    async failOver() {
      await servers.failOver()
      back.pointTo(servers.primary.url)
    },
    query: (text) => queryOnce(servers.primary.url, text),
    async [Symbol.asyncDispose]() {
      await Promise.all(proxies.map((proxy) => proxy.close()))
      await pooler?.[Symbol.asyncDispose]()
      await back.close()
      await servers.end()
      await disk?.[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The present primary, and at times its standby. */
function createServers(binaries: PostgresBinaries, folder: string, logFile: string) {
  let count = 0
  let primary: PostgresServer | undefined
  let standby: PostgresServer | undefined
  const nextFolder = (): string => join(folder, `data-${(count += 1)}`)
  const current = (): PostgresServer => {
    if (!primary) throw new Error('The database has not begun.')
    return primary
  }
  return {
    get primary() {
      return current()
    },
    async begin() {
      primary = await initializeServer(binaries, nextFolder(), logFile)
      await primary.start()
    },
    async addStandby(mode: StandbyMode) {
      const data = nextFolder()
      const from = ['--dbname', current().url, '--pgdata', data]
      const how = ['--write-recovery-conf', '--wal-method=stream', '--checkpoint=fast', '--no-sync']
      await binaries.run('pg_basebackup', [...from, ...how])
      standby = await openServer(binaries, data, logFile)
      await standby.start()
      if (mode === 'lagging') {
        await follows(current(), 'async')
        await standby.query(`ALTER SYSTEM SET primary_conninfo = ''`)
        await standby.query('SELECT pg_reload_conf()')
        return
      }
      await current().query(`ALTER SYSTEM SET synchronous_commit = ${mode}`)
      await current().query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
      await current().query('SELECT pg_reload_conf()')
      await follows(current(), 'sync')
    },
    async failOver() {
      if (!standby) throw new Error('There is no standby.')
      const old = current()
      await old.stop('immediate')
      await standby.promote()
      primary = standby
      standby = undefined
      await rm(old.data, { recursive: true, force: true })
    },
    async end() {
      await standby?.stop('immediate')
      await primary?.stop('immediate')
    },
  }
}

async function follows(primary: PostgresServer, state: 'sync' | 'async'): Promise<void> {
  for (let attempt = 1; attempt <= STANDBY_ATTEMPTS; attempt += 1) {
    const found = await primary.query(
      `SELECT 1 FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${state}'`,
    )
    if (found.length > 0) return
    await pause(STANDBY_PAUSE_MS)
  }
  throw new Error('The standby does not follow its primary.')
}
