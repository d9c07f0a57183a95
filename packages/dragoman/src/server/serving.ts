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
import { replies } from './surfaces/index.ts'
import type { ProcessLog } from '../observability/index.ts'
import type { ServerPlugin } from './plugin.ts'
import type { Talk } from '../threads/index.ts'
import type { fanOut } from './fan-out/index.ts'
import { attachSockets, callers, httpApp, listen, type HttpServer, type Listening } from './http/index.ts'

/** What has been joined already, and serves from now on. */
type Joined = Omit<Stores, 'close'> & {
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

type Serving = {
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
    await running.looked
    return {
      fetch: async (request) => fetch(request),
      async listen({ port = config.port } = {}) {
        await users.someCanCall()
        listening = await listen(fetch, { ...config, port, ...(sockets && { sockets }) })
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
function apisOf(
  config: Config,
  {
    log,
    models,
    talk,
    users,
    modules,
    plugins,
    protocols,
    staffFor,
    readers,
    running,
    scrape,
    ready,
  }: Joined,
) {
  const app = httpApp({ ...users.admission, ...log, origins: config.origins, limits: config.limits })
  const answers = replies({ ...talk, runs: running, readers, audience: users.audience })
  const shared = { ...talk, dialects: protocolsByName(protocols), runs: running, replies: answers }
  const callerOf = callers(users.admission)
  mount(app, modules, { ...shared, ...users, callerOf, scrape, ready, models, staffFor })
  const sockets = socketsOf(plugins, modules, { ...shared, ...users, ...log, ...config, readers, callerOf })
  return { fetch: app.fetch, sockets }
}

/** The background work of the server, until it closes. */
function passesOf(
  config: Config,
  { store, db, check, models, log: { report, warn }, talk, users, modules, staff, erase }: Joined,
  signal: AbortSignal,
): Promise<void>[] {
  const { isTrusted } = clock(db, warn)
  return [
    watchFiles({ check }, signal, (error) => report(error, 'database')),
    talk.projector.keepUp(signal, (error) => report(error, 'projector')),
    users.quotas.keepUp(signal, (error) => report(error, 'usage')),
    users.keepWatch(signal, (error) => report(error, 'tokens')),
    users.forgetGuests(isTrusted, signal, (error) => report(error, 'guests')),
    erase.keepUp(signal, (error) => report(error, 'erasures')),
    upkeep({ store, ...config, projected: talk.projector.catchUp, isTrusted, report }, signal),
    ...modules.flatMap(
      ({ agent, background }) => background?.(signal, (error) => report(error, agent.id)) ?? [],
    ),
    naming({ ...config, db, models, staff }, signal, (error) => report(error, 'titles')),
  ]
}
