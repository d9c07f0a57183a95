import { join } from 'node:path'

import { readConfig, type Config } from '../config/config.ts'
import { configuredSecrets } from '../config/secrets.ts'
import type { ServiceError } from '../errors.ts'
import { readHomeFile, readSavedKeys } from '../home-files/index.ts'
import {
  createModels,
  meterModels,
  modelsFileSchema,
  reconfigurableModels,
  type Models,
  type ReconfigurableModels,
} from '../models/index.ts'
import { createProcessLog, type ProcessLog } from '../observability/index.ts'
import { assembleServer } from './assemble-server.ts'
import type { HttpServer } from './http/index.ts'
import { collectMigrations } from './migrations.ts'
import { openStores } from './open-stores.ts'
import { toAgentFactories } from './create-modules.ts'
import type { ServerOptions } from './server-options.ts'
import { closeInOrder } from './start-server.ts'

/**
 * A running server.
 *
 * @example
 * const server: Server = await createServer({ agents: [dice] })
 * const response = await server.fetch(new Request('http://localhost/health'))
 * await server.close()
 */
export type Server = {
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
  /** Ends runs and readers, and releases everything. */
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
  const factories = toAgentFactories(options.agents)
  const config = options.config ?? readConfig([], process.env, factories)
  const log = createProcessLog(config.logLevel, configuredSecrets(config))
  const models = options.models ? meterModels(options.models) : configuredModelsWithWarnings(config, log)
  const openOptions = {
    agents: factories,
    migrations: collectMigrations(factories),
    acceptLoss: config.acceptLoss,
    warn: log.warn,
  }
  const stores = await openStores(config.home, openOptions, options)
  try {
    const server = await assembleServer(config, options, { factories, stores, log, models })
    return {
      ...server,
      async close() {
        await server.close()
        await closeInOrder([stores.close], log.report)
        log.info({ home: config.home }, 'stopped')
      },
    }
  } catch (error) {
    await closeInOrder([stores.close], log.report)
    throw error
  }
}

/** The models that the environment, the saved keys and `models.yaml` configure. */
export function configuredModels(config: Config, warn?: (problem: string) => void): ReconfigurableModels {
  return reconfigurableModels(() => {
    const env = { ...readSavedKeys(config.home), ...config.env }
    const file = readHomeFile(join(config.home, 'models.yaml'), modelsFileSchema, env)
    return createModels({ ...config, env, override: config.model, warn, ...(file && { file }) })
  })
}

function configuredModelsWithWarnings(config: Config, { warn }: ProcessLog): Models {
  const models = configuredModels(config, warn)
  for (const warning of models.warnings) warn(warning)
  return models
}
