import { setTimeout as pause } from 'node:timers/promises'

import { Client } from 'pg'

import type { TcpProxy } from '../packages/postgres/src/tcp-proxy.fixture.ts'
import { OWNER_LOCKS } from '../packages/postgres/src/store/schema.ts'
import type { ChaosDatabase } from './database/database.ts'
import { answers } from './database/postgres-server.ts'
import type { StrikeField } from './strike.ts'
import { mayEndAttempts, type StrikePlan } from './strike-plan.ts'

type DatabaseField = StrikeField & { readonly database: ChaosDatabase }

/** Strikes the database, or a node's lines to it. False if the strike is one to a node. */
export async function strikeDatabase(plan: StrikePlan, field: DatabaseField): Promise<boolean> {
  const { database, signal, recovery } = field
  switch (plan.kind) {
    case 'SIGKILL':
    case 'SIGTERM':
    case 'SIGSTOP':
    case 'clock':
    case 'other version':
      return false
    case 'lines cut':
    case 'lines muted':
    case 'black hole':
      await strikeLines(plan, field)
      return true
    case 'LISTEN ended':
      await endSession(plan.node, database)
      return true
    case 'old snapshot':
      holdSnapshot(plan.ms, field)
      return true
    case 'pooler killed':
      await database.pooler?.restart()
      break
    default:
      await strikeServer(plan, database, signal)
  }
  await answers(database.primary.url)
  recovery.struck('outage')
  recovery.up()
  return true
}

async function strikeLines(plan: StrikePlan, { database, recovery, signal }: DatabaseField): Promise<void> {
  const proxy = database.proxies[plan.node]
  if (!proxy) throw new Error(`There is no node ${plan.node}.`)
  if (mayEndAttempts(plan)) {
    recovery.struck('cut')
    recovery.up()
  }
  const lasts = pause(plan.ms, undefined, { signal }).catch(() => undefined)
  await strikeProxy(plan, proxy, lasts)
}

async function strikeProxy(
  { kind, ms, variant }: StrikePlan,
  proxy: TcpProxy,
  lasts: Promise<void>,
): Promise<void> {
  if (kind === 'lines muted') return proxy.cut('mute')
  if (kind === 'black hole') {
    proxy.block(true)
    await lasts
    return proxy.block(false)
  }
  proxy.refuse(ms > 0)
  proxy.cut(variant ? 'both' : 'answers')
  await lasts
  proxy.refuse(false)
}

async function strikeServer(plan: StrikePlan, database: ChaosDatabase, signal: AbortSignal): Promise<void> {
  const lasts = (): Promise<void> => pause(plan.ms, undefined, { signal }).catch(() => undefined)
  const { primary, disk } = database
  switch (plan.kind) {
    case 'database stopped (immediate)':
    case 'database stopped (fast)':
      await primary.stop(plan.kind.includes('fast') ? 'fast' : 'immediate')
      await lasts()
      return primary.start()
    case 'postmaster killed':
      await primary.killPostmaster()
      await lasts()
      return primary.start()
    case 'backend killed':
      return killBackend(database)
    case 'failover':
      await database.addStandby(plan.variant ? 'remote_apply' : 'remote_write')
      return database.failOver()
    case 'disk full':
      await disk?.fill()
      await lasts()
      await disk?.free()
      // It ends itself if it cannot write its log of changes.
      return primary.start()
    default:
  }
}

const OWNERS = `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND classid = ${OWNER_LOCKS} ORDER BY backend_start`

async function endSession(node: number, database: ChaosDatabase): Promise<void> {
  await database.query(`SELECT pg_terminate_backend(pid) FROM (${OWNERS} OFFSET ${node} LIMIT 1) one`)
}

async function killBackend(database: ChaosDatabase): Promise<void> {
  const [backend] = await database.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'dragoman' ORDER BY random() LIMIT 1`,
  )
  if (backend) process.kill(backend.pid, 'SIGKILL')
}

/** Holds a snapshot while the campaign goes on. */
function holdSnapshot(ms: number, { database, signal }: DatabaseField): void {
  const client = new Client(database.primary.url)
  client.on('error', () => undefined)
  const hold = async (): Promise<void> => {
    await client.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await client.query('SELECT count(*) FROM runs')
    await pause(ms, undefined, { signal, ref: false })
    await client.end()
  }
  hold().catch(() => undefined)
}
