import { readdirSync, readFileSync } from 'node:fs'

import { Client } from 'pg'

import { startPostgres } from '../test/support/postgres-server.ts'

/** A server with one new database, and what it says of its own costs. */
export type BenchDatabase = {
  readonly url: string
  /** CPU of all the server's processes so far, in µs. Not a number if it runs on another machine. */
  cpu(): Promise<number>
  /** Bytes of write-ahead log so far. */
  wal(): Promise<number>
  /** Bytes of the database's files. */
  size(): Promise<number>
  /** Makes the database empty again. */
  clear(): Promise<void>
  /** Removes the database. */
  close(): Promise<void>
}

const NAME = 'dragoman_bench'
/** A tick of the CPU times in /proc, in µs: sysconf(_SC_CLK_TCK) is 100 on Linux. */
const TICK_US = 10_000

/** On the server of this URL, or on one that lives as long as the database. */
export async function openBenchDatabase(serverUrl: string | undefined): Promise<BenchDatabase> {
  const server = serverUrl === undefined ? await startPostgres({ isDurable: true }) : undefined
  const admin = new Client(serverUrl ?? server?.url)
  await admin.connect()
  const drop = async (): Promise<void> =>
    void (await admin.query(`DROP DATABASE IF EXISTS ${NAME} WITH (FORCE)`))
  const clear = async (): Promise<void> => {
    await drop()
    await admin.query(`CREATE DATABASE ${NAME}`)
  }
  await clear()
  const url = new URL(serverUrl ?? server?.url ?? '')
  url.pathname = NAME
  const number = async (sql: string): Promise<number> => {
    const { rows } = await admin.query<{ value: string }>(`SELECT (${sql})::text AS value`)
    return Number(rows[0]?.value)
  }
  const own = await number('pg_backend_pid()')
  return {
    url: url.href,
    cpu: async () => cpuOfServer(own),
    wal: () => number(`pg_current_wal_lsn() - '0/0'::pg_lsn`),
    size: () => number(`pg_database_size('${NAME}')`),
    clear,
    async close() {
      await drop()
      await admin.end()
      await server?.stop()
    },
  }
}

type ProcessTimes = { readonly parent: number; readonly own: number; readonly ended: number }

/** The sum of the postmaster, its processes that have ended, and those that live. */
function cpuOfServer(backend: number): number {
  const postmaster = readTimes(backend)?.parent
  const main = postmaster === undefined ? undefined : readTimes(postmaster)
  if (main === undefined) return Number.NaN
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = pids.map((pid) => readTimes(Number(pid))).filter((times) => times?.parent === postmaster)
  return children.reduce((sum, times) => sum + (times?.own ?? 0), main.own + main.ended) * TICK_US
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html */
function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may contain spaces.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
    if (!text.includes('(postgres)')) return undefined
    return { parent, own: user + system, ended: endedUser + endedSystem }
  } catch {
    return undefined
  }
}
