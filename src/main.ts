import { mkdir, open as openFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'

import { serve, type ServerType } from '@hono/node-server'

import type { Capability } from './agent/index.ts'
import { jobs, jobsMigrations } from './capabilities/jobs/index.ts'
import type { Config } from './config.ts'
import { migrate, openDatabase, type Database } from './db/index.ts'
import { aiSdkEngine, type AgentEngine } from './engines/index.ts'
import { ServiceError } from './errors.ts'
import { runLog } from './log/index.ts'
import { createModels, type Models } from './models/index.ts'
import { eve, native, uiMessageStream } from './protocols/index.ts'
import { runs, type Staff } from './runs/index.ts'
import { openSqlite } from './stores/sqlite/index.ts'
import { agentStatus, home, jobsChat, nativeApi, replies } from './surfaces/index.ts'
import { processLog } from './telemetry/index.ts'
import { history, projector, threadMigrations, threads } from './threads/index.ts'
import { fanOut, httpApp } from './transports/index.ts'
import { version } from './version.ts'

const dialects = new Map([uiMessageStream, eve, native].map((protocol) => [protocol.name, protocol]))

/** Readers are told the end of their runs; whoever has not read it after so many ms is cut off. */
const CLOSING_MS = 1500

export type Dragoman = {
  /** Answers a request as the server would. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Takes requests from the network. Gives the address. @throws ServiceError `unavailable` where the port is taken */
  listen(): Promise<string>
  /** Ends runs and readers, and lets go of everything. */
  close(): Promise<void>
}

/** What may be put in place of ours, by those who build their own. */
export type Parts = {
  readonly models?: Models
  readonly capabilities?: (db: Database) => readonly Capability[]
  /** Beside ours: an agent names the one that drives it. */
  readonly engines?: readonly AgentEngine[]
}

/** The one place where things are chosen and joined. @throws ServiceError for what is configured wrongly */
export async function openDragoman(config: Config, parts: Parts = {}): Promise<Dragoman> {
  const models = parts.models ?? createModels({ ...config, override: config.model })
  const log = processLog(config.logLevel)
  const { store, notifier, db } = await openStores(config.home)

  const engines = new Map([aiSdkEngine(models), ...(parts.engines ?? [])].map((one) => [one.name, one]))
  const capabilities = parts.capabilities?.(db) ?? [jobs(db)]
  const staff = await staffOf(capabilities, engines).catch(async (error: unknown) => {
    await Promise.all([db.destroy(), store[Symbol.asyncDispose]()])
    throw error
  })
  const report = (err: unknown, where: string): void => log.error({ err, where }, 'unforeseen')
  const talk = { threads: threads(db), history: history(db), projector: projector(db, store) }
  const journal = runLog(store, notifier)
  const readers = fanOut({ store, log: journal })
  const running = runs({ store, log: journal, ...talk, staff, report, letGo: (runId) => readers.cut(runId) })
  const projecting = new AbortController()
  const projected = talk.projector.keepUp(projecting.signal, (error) => report(error, 'projector'))

  const app = httpApp({ hosts: [], origins: config.origins, report })
  const shared = { ...talk, dialects, runs: running, replies: replies({ runs: running, readers }) }
  const ready = async (): Promise<void> => void (await store.changed(Number.MAX_SAFE_INTEGER, 1))
  const agents = capabilities.map(({ agent }) => agent.id)
  app.route('/', home({ version, agents, ready }))
  app.route('/v1', nativeApi({ ...shared, agents }))
  for (const capability of capabilities) {
    const { agent, routes } = capability
    app.route(`/${agent.id}/chat`, jobsChat({ ...shared, agent: agent.id }))
    app.route(`/${agent.id}`, agentStatus({ capability, version, model: () => models.choose(agent.model) }))
    app.route(`/${agent.id}`, routes)
  }

  await running.looked
  let server: ServerType | undefined
  return {
    fetch: async (request) => app.fetch(request),
    async listen() {
      const listening = await listen(app.fetch, config)
      server = listening.server
      log.info({ url: listening.url, home: config.home, model: modelsOf(capabilities, models) }, 'listening')
      return listening.url
    },
    async close() {
      const closed = server && closing(server)
      projecting.abort()
      // Each is let go of, whatever the one before it says.
      for (const end of [
        running.close,
        () => closed,
        () => projected,
        () => db.destroy(),
        () => store[Symbol.asyncDispose](),
      ]) {
        await Promise.resolve(end()).catch((error: unknown) => report(error, 'closing'))
      }
    },
  }
}

/** One file, two connections: the log's on a thread of its own, and one for all other rows. @throws ServiceError `unavailable` */
async function openStores(folder: string) {
  const file = join(folder, 'dragoman.db')
  let opened: ReturnType<typeof openSqlite> | undefined
  let db: Database | undefined
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    // SQLite gives the files beside it the mode of this one: nobody else's to read.
    await (await openFile(file, 'a', 0o600)).close()
    opened = openSqlite(file)
    await opened.store.changed(0, 1)
    db = openDatabase(file)
    await migrate(db, [...threadMigrations, ...jobsMigrations])
    return { ...opened, db }
  } catch (cause) {
    await db?.destroy()
    await opened?.store[Symbol.asyncDispose]()
    const reason = innermost(cause)
    throw new ServiceError('unavailable', `${file} cannot be used: ${reason}.`, { cause })
  }
}

function innermost(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message.replace(/\.$/, '') : innermost(error.cause)
}

async function staffOf(
  capabilities: readonly Capability[],
  engines: ReadonlyMap<string, AgentEngine>,
): Promise<Map<string, Staff>> {
  return new Map(
    capabilities.map(({ agent, tools }) => {
      const engine = engines.get(agent.engine)
      if (!engine)
        throw new ServiceError(
          'invalid-request',
          `Agent ${agent.id} wants the engine ${agent.engine}, which is not here.`,
        )
      return [agent.id, { agent, tools, engine }]
    }),
  )
}

function modelsOf(capabilities: readonly Capability[], models: Models): Record<string, string> {
  return Object.fromEntries(capabilities.map(({ agent }) => [agent.id, models.choose(agent.model).name]))
}

async function listen(
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: Config,
): Promise<{ server: ServerType; url: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<AddressInfo>()
  const server = serve({ fetch, hostname: host, port }, resolve)
  server.once('error', reject)
  try {
    const address = await promise
    const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
    return { server, url: `http://${name}:${address.port}` }
  } catch (cause) {
    throw new ServiceError(
      'unavailable',
      `Port ${port} of ${host} cannot be had. Choose another with --port.`,
      { cause },
    )
  }
}

/** No new connections; those that are open end by themselves, or are cut. */
async function closing(server: ServerType): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  const cut = setTimeout(() => 'closeAllConnections' in server && server.closeAllConnections(), CLOSING_MS)
  await closed
  clearTimeout(cut)
}
