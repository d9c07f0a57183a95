import { readFile, appendFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

import { Client } from 'pg'

import type { PostgresBinaries } from './postgres-binaries.ts'

const START_ATTEMPTS = 60
const START_PAUSE_MS = 500
const DEATH_PAUSE_MS = 5

/** A PostgreSQL server of the campaign. */
export interface PostgresServer {
  readonly url: string
  readonly data: string
  /** Starts it, unless it runs. Tries again while processes of a killed server still hold its memory. */
  start(): Promise<void>
  stop(mode: 'fast' | 'immediate'): Promise<void>
  /** Makes a standby a primary. */
  promote(): Promise<void>
  killPostmaster(): Promise<void>
  query<Row extends Record<string, unknown>>(text: string): Promise<Row[]>
}

/** Creates the data folder. `logFile` gets the log of the server. */
export async function initializeServer(
  binaries: PostgresBinaries,
  data: string,
  logFile: string,
): Promise<PostgresServer> {
  const encoding = ['--encoding=UTF8', '--locale=C', '--auth=trust', '--username=postgres']
  await binaries.run('initdb', ['--pgdata', data, ...encoding, '--wal-segsize=1', '--no-instructions'])
  return openServer(binaries, data, logFile)
}

/** A server on a data folder that exists, on a free port. */
export async function openServer(
  binaries: PostgresBinaries,
  data: string,
  logFile: string,
): Promise<PostgresServer> {
  const port = await freePort()
  // The last line of a name counts.
  await appendFile(join(data, 'postgresql.conf'), settings(port))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const control = (...args: string[]): Promise<string> => binaries.run('pg_ctl', ['--pgdata', data, ...args])
  const isUp = (): Promise<boolean> =>
    control('status').then(
      () => true,
      () => false,
    )
  return {
    url,
    data,
    async start() {
      for (let attempt = 1; !(await isUp()); attempt += 1) {
        const started = control('start', '--wait', '--silent', '--log', logFile)
        if (attempt < START_ATTEMPTS) await started.catch(() => pause(START_PAUSE_MS))
        else await started
      }
      await answers(url)
    },
    async stop(mode) {
      if (await isUp()) await control('stop', '--wait', '--mode', mode)
    },
    promote: async () => void (await control('promote', '--wait')),
    async killPostmaster() {
      const pid = Number.parseInt(await readFile(join(data, 'postmaster.pid'), 'utf8'), 10)
      // 0 would be this process and its children.
      if (!(pid > 1)) throw new Error(`${data} has no process.`)
      process.kill(pid, 'SIGKILL')
      while (isRunning(pid)) await pause(DEATH_PAUSE_MS)
    },
    query: (text) => queryOnce(url, text),
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Waits until a server answers queries: after a crash it recovers first. */
export async function answers(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await queryOnce(url, 'SELECT 1')
      return
    } catch (error) {
      if (attempt === START_ATTEMPTS) throw error
      await pause(START_PAUSE_MS / 5)
    }
  }
}

export async function queryOnce<Row extends Record<string, unknown>>(
  url: string,
  text: string,
): Promise<Row[]> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

function settings(port: number): string {
  return `
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_buffers = 32MB
min_wal_size = 5MB
max_wal_size = 64MB
wal_keep_size = 32MB
wal_retrieve_retry_interval = 200ms
`
}
