import { join } from 'node:path'

import { createUserHash } from '../access/users/index.ts'
import { readBasePath, readConfig, type Config } from '../config/config.ts'
import { configuredSecrets } from '../config/secrets.ts'
import { useProxy } from '../config/use-proxy.ts'
import { isServiceError, type ServiceError } from '../errors.ts'
import { readHomeFile } from '../home-files/index.ts'
import {
  createModels,
  meterModels,
  modelsFileSchema,
  reconfigurableModels,
  type ReconfigurableModels,
  type SavedModels,
} from '../models/index.ts'
import { createProcessLog, type ProcessLog } from '../observability/index.ts'
import { assembleServer, type ServedModels } from './assemble-server.ts'
import type { HttpServer } from './http/index.ts'
import { collectMigrations } from './migrations.ts'
import { openSavedVariables, usableOf } from './open-saved-variables.ts'
import { createOutageWatch } from './outage-watch.ts'
import { openStores, type Stores } from './open-stores.ts'
import { createProviderKeys } from './provider-keys.ts'
import { toAgentFactories } from './create-modules.ts'
import type { InProcessRuns } from './in-process-runs.ts'
import { checkServerOptions, type ServerOptions } from './server-options.ts'
import { closeInOrder } from './start-server.ts'

/**
 * A running server.
 *
 * @example
 * const server: Server = await createServer({ agents: [dice] })
 * const response = await server.fetch(new Request('http://localhost/health'))
 * await server.close()
 */
export type Server = InProcessRuns & {
  /** Answers a request without a network. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * Takes requests from the network and returns the server's URL.
   *
   * @throws ServiceError `unavailable` if the port is in use
   */
  listen(options?: { readonly port?: number }): Promise<string>
  /**
   * Serves Socket.IO at `/socket.io` on a server of the application's own. All other requests go to that server's own
   * listeners: let one of them answer with `fetch`.
   *
   * @throws ServiceError `invalid-request` without a plug-in for sockets
   *
   * @example
   * const app = express()
   * const httpServer = app.listen(3000)
   * server.attach(httpServer)
   */
  attach(server: HttpServer): void
  /**
   * Begins no more runs: other nodes take them, and without one a request for a run gets 503 with `Retry-After`.
   * Readers are served, and the runs that go on here may end. Resolves once they have, or once `limit` aborts. Call
   * `close` then.
   *
   * @example
   * const stop = async (server: Server): Promise<void> => {
   *   await server.drain(AbortSignal.timeout(60_000))
   *   await server.close()
   * }
   */
  drain(limit: AbortSignal): Promise<void>
  /** Hands over the runs that go on here, ends readers, and releases everything. */
  close(): Promise<void>
  /**
   * Resolves with the reason if the server stops by itself, because a newer version has changed its database. Its runs
   * are released to the other nodes, and requests get 503. Call `close`, and end the process.
   */
  readonly stopped: Promise<ServiceError>
}

/**
 * Opens a server.
 *
 * @throws ServiceError `invalid-request` for an agent that cannot work or a wrong setting: the sentence names it;
 * `unavailable` if the database cannot be opened
 *
 * @example
 * const server = await createServer({ agents: [dice] })
 * const url = await server.listen({ port: 3033 })
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  checkServerOptions(options)
  const factories = toAgentFactories(options.agents)
  const config = configOf(options, factories)
  const log = createProcessLog(config.logLevel, configuredSecrets(config))
  useProxyWithLog(config, log)
  const openOptions = {
    agents: factories,
    migrations: collectMigrations(factories),
    acceptLoss: config.acceptLoss,
    warn: log.warn,
  }
  const stores = await openStores(config.home, openOptions, options)
  try {
    const hashUser = await createUserHash({ ...config, db: stores.db })
    log.nameUsers(hashUser)
    const outages = createOutageWatch({ ready: stores.ready, lines: log })
    log.onUnavailable(outages.suspect)
    stores.cluster.onLost((reason) => void outages.suspect(reason))
    const served = options.models
      ? { models: meterModels(options.models), providerKeys: undefined }
      : await openModels(config, stores, log)
    const server = await assembleServer(config, options, {
      factories,
      stores,
      log,
      hashUser,
      outages,
      ...served,
    })
    return {
      ...server,
      async close() {
        await server.close()
        await closeInOrder([outages.close, stores.close], log.report)
        log.info({ home: config.home }, 'stopped')
      },
    }
  } catch (error) {
    await closeInOrder([stores.close], log.report)
    throw error
  }
}

/** @throws ServiceError `invalid-request` */
function configOf(
  { config, basePath }: ServerOptions,
  factories: ReturnType<typeof toAgentFactories>,
): Config {
  const settings = config ?? readConfig([], process.env, factories)
  return basePath === undefined ? settings : { ...settings, basePath: readBasePath(basePath) }
}

/** The models that the environment, the saved variables and `models.yaml` configure. */
export function configuredModels(
  config: Config,
  saved: SavedModels,
  warn?: (problem: string) => void,
): ReconfigurableModels {
  return reconfigurableModels(({ values, closed }) => {
    const env = { ...values, ...config.env }
    try {
      const file = readHomeFile(join(config.home, 'models.yaml'), modelsFileSchema, env)
      return createModels({ ...config, env, override: config.model, warn, closed, ...(file && { file }) })
    } catch (error) {
      if (closed === undefined || !isServiceError(error)) throw error
      // The settings may need what cannot be opened. The owner can still save it again, or remove it.
      warn?.(`No model is used until the saved keys can be opened. ${error.message}`)
      return createModels({ ...config, env: {}, warn, closed })
    }
  }, saved)
}

function useProxyWithLog({ env }: Config, log: ProcessLog): void {
  const { named, problem } = useProxy(env)
  if (problem !== undefined) log.warn(problem)
  else if (named.length > 0) log.info({ variables: named }, 'requests go through a proxy')
}

/** The models that are configured, and the keys of their providers. */
async function openModels(
  config: Config,
  { db }: Pick<Stores, 'db'>,
  log: ProcessLog,
): Promise<ServedModels> {
  const { env } = config
  const { warn, hide } = log
  const saved = await openSavedVariables({ ...config, db, warn })
  const usable = usableOf(saved.values(), saved.unopened(), env)
  if (usable.closed !== undefined) warn(usable.closed)
  const models = configuredModels(config, usable, warn)
  for (const warning of models.warnings) warn(warning)
  return { models, providerKeys: createProviderKeys({ env, models, saved, warn, hide }) }
}
