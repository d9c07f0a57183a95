import { Client } from 'pg'

import type { ClusterNode } from 'dragoman/cluster'

import { connectionOptions, type DatabaseSource } from './client/pool.ts'
import { NODES } from './cluster.ts'
import { checkSettings } from './check-settings.ts'

/** How long a notice may take. */
const NOTICE_TIMEOUT_MS = 5000

/** What a database says of itself and of the nodes that use it. */
export type DatabaseReport = {
  /** Such as `18.4`. */
  readonly version: string
  readonly connections: { readonly open: number; readonly max: number }
  /** How long a notice took. Undefined if it did not come back, as through a pooler in transaction mode. */
  readonly noticeMs: number | undefined
  /** The migrations that have been applied. Undefined if no server has used the database. */
  readonly migrations: readonly string[] | undefined
  /** Those of them that an older version of the server need not know. */
  readonly compatible: readonly string[]
  readonly nodes: readonly ClusterNode[]
}

/**
 * Examines a database without changing it.
 * @throws ServiceError `invalid-request` if its settings are unsafe, and the error of the connection
 *
 * @example
 * const { version, nodes } = await examineDatabase('postgres://dragoman@127.0.0.1/dragoman')
 */
export async function examineDatabase(source: DatabaseSource): Promise<DatabaseReport> {
  const client = new Client(connectionOptions(source))
  client.on('error', () => undefined)
  await client.connect()
  try {
    await checkSettings(async (text) => (await client.query(text)).rows)
    const { rows: facts } = await client.query<{
      version: string
      open: number
      max: number
      exists: boolean
      hasCompatible: boolean
    }>(
      `SELECT current_setting('server_version') AS version, current_setting('max_connections')::int AS max,
         (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS open,
         to_regclass('owners') IS NOT NULL AND to_regclass('schema_migrations') IS NOT NULL AS exists,
         to_regclass('compatible_migrations') IS NOT NULL AS "hasCompatible"`,
    )
    const { version = '', open = 0, max = 0, exists = false, hasCompatible = false } = facts[0] ?? {}
    const found = { version, connections: { open, max }, noticeMs: await timeNotice(client) }
    if (!exists) return { ...found, migrations: undefined, compatible: [], nodes: [] }
    const migrations = await readNames(client, 'schema_migrations')
    const compatible = hasCompatible ? await readNames(client, 'compatible_migrations') : []
    const { rows: nodes } = await client.query<ClusterNode>(NODES)
    return { ...found, migrations, compatible, nodes }
  } finally {
    await client.end()
  }
}

async function readNames(client: Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table}`)
  return rows.map(({ name }) => name)
}

async function timeNotice(client: Client): Promise<number | undefined> {
  const arrival = Promise.withResolvers<number | undefined>()
  const timer = setTimeout(() => arrival.resolve(undefined), NOTICE_TIMEOUT_MS)
  await client.query('LISTEN dragoman_doctor')
  const begin = performance.now()
  client.on('notification', () => arrival.resolve(performance.now() - begin))
  await client.query('NOTIFY dragoman_doctor')
  const ms = await arrival.promise
  clearTimeout(timer)
  return ms
}
