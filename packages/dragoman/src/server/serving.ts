import { clock } from './clock.ts'
import type { Config } from '../config/config.ts'
import { ServiceError } from '../errors.ts'
import type { usersOf } from './door.ts'
import type { Erasing } from './erasing.ts'
import { upkeep } from '../log/index.ts'
import type { Models } from '../models/index.ts'
import type { ConfiguredModule } from '../modules/index.ts'
import { mount, protocolsByName, socketsOf } from './mount.ts'
import { naming } from './naming.ts'
import { watchFiles, type Stores } from './open-stores.ts'
import type { Protocol } from '../protocols/index.ts'
import type { Runs } from '../runs/index.ts'
import { modelsOf, type staffOf, type StaffFor } from './staff.ts'
import { replies, type Conversations } from './surfaces/index.ts'
import type { ProcessLog } from '../observability/index.ts'
import type { ServerPlugin } from './plugin.ts'
import type { Talk } from '../threads/index.ts'
import type { fanOut } from './fan-out/index.ts'
import { attachSockets, callers, httpApp, listen, type HttpServer, type Listening } from './http/index.ts'

/** What has been joined already, and serves from now on. */
type Joined = {
  readonly stores: Stores
  readonly log: ProcessLog
  readonly models: Models
  readonly talk: Talk
  readonly users: ReturnType<typeof usersOf>
  readonly modules: readonly ConfiguredModule[]
  readonly plugins: readonly ServerPlugin[]
  /** The wire formats of agents and plug-ins, and those that were added to the server. */
  readonly protocols: readonly Protocol[]
  readonly staff: ReturnType<typeof staffOf>
  readonly staffFor: StaffFor
  readonly readers: ReturnType<typeof fanOut>
  readonly running: Runs
  readonly erase: Erasing
  readonly scrape: (() => Promise<string>) | undefined
  /** Ends what tells of the runs, after they have ended. */
  readonly close: () => Promise<void>
}

export type Serving = {
  readonly fetch: (request: Request) => Promise<Response>
  listen(options?: { readonly port?: number }): Promise<string>
  attach(server: HttpServer): void
  /** Ends runs and readers, and all background work. */
  close(): Promise<void>
}

const NO_SOCKETS =
  'attach: this server has no sockets. Add socketIo() of @dragoman/socket-io to plugins of createServer.'

/** Serves requests and does the background work. If it throws, it has ended what it began. */
export async function serving(config: Config, joined: Joined): Promise<Serving> {
  const { log, models, users, modules, running } = joined
  const closing = new AbortController()
  const passes: Promise<void>[] = []
  const attached: ReturnType<typeof attachSockets>[] = []
  let listening: Listening | undefined
  const close = async (): Promise<void> => {
    const closed = listening?.close().catch((error: unknown) => log.report(error, 'closing'))
    closing.abort()
    const detached = Promise.all(attached.map((each) => each.close()))
    await closeEach(
      [running.close, () => closed, () => detached, () => Promise.all(passes), joined.close],
      log.report,
    )
  }
  try {
    passes.push(...passesOf(config, joined, closing.signal))
    const { fetch, sockets } = apisOf(config, joined)
    await running.recovered
    return {
      fetch: async (request) => fetch(request),
      async listen({ port = config.port } = {}) {
        await users.someCanCall()
        listening = await listen(fetch, {
          host: config.host,
          port,
          limits: config.limits,
          ...(sockets && { sockets }),
        })
        log.info({ url: listening.url, home: config.home, model: modelsOf(modules, models) }, 'listening')
        return listening.url
      },
      attach(server) {
        if (!sockets) throw new ServiceError('invalid-request', NO_SOCKETS)
        attached.push(attachSockets(server, sockets))
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Calls one after the other, whatever the one before throws. */
export async function closeEach(
  ends: readonly (() => unknown)[],
  report: ProcessLog['report'],
): Promise<void> {
  for (const end of ends) {
    try {
      await end()
    } catch (error) {
      report(error, 'closing')
    }
  }
}

/** All APIs, over HTTP and Socket.IO. */
function apisOf(config: Config, joined: Joined) {
  const { stores, log, models, talk, users, modules, plugins, readers, running } = joined
  const { origins, limits } = config
  const app = httpApp({ ...users.admission, origins, limits, report: log.report, answered: log.request })
  const conversations: Conversations = {
    ...talk,
    dialects: protocolsByName(joined.protocols),
    runs: running,
    replies: replies({
      runs: running,
      readers,
      audience: users.audience,
      history: talk.history,
      projector: talk.projector,
    }),
  }
  const callerOf = callers(users.admission)
  mount(app, modules, {
    ...conversations,
    callerOf,
    quotas: users.quotas,
    visitors: users.visitors,
    mayOpen: users.mayOpen,
    scrape: joined.scrape,
    ready: stores.ready,
    models,
    staffFor: joined.staffFor,
  })
  const sockets = socketsOf(plugins, modules, {
    ...conversations,
    callerOf,
    readers,
    admission: users.admission,
    audience: users.audience,
    origins,
    limits,
    report: log.report,
    answered: log.request,
  })
  return { fetch: app.fetch, sockets }
}

/** The background work of the server, until it closes. */
function passesOf(
  config: Config,
  { stores, models, log, talk, users, modules, staff, erase }: Joined,
  signal: AbortSignal,
): Promise<void>[] {
  const { store, db } = stores
  const { report } = log
  const reportAs = (where: string) => (error: unknown) => report(error, where)
  const { isTrusted } = clock(db, log.warn)
  const { keepLogs, titles } = config
  return [
    watchFiles({ check: stores.check }, signal, reportAs('database')),
    talk.projector.keepUp(signal, reportAs('projector')),
    users.quotas.keepUp(signal, reportAs('usage')),
    users.keepWatch(signal, reportAs('tokens')),
    users.forgetGuests(isTrusted, signal, reportAs('guests')),
    erase.keepUp(signal, reportAs('erasures')),
    upkeep({ store, keepLogs, projected: talk.projector.catchUp, isTrusted, report }, signal),
    ...modules.flatMap(({ agent, background }) => background?.(signal, reportAs(agent.id)) ?? []),
    naming({ titles, db, models, staff }, signal, reportAs('titles')),
  ]
}
