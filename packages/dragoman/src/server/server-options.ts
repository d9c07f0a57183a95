import type { Agent, AgentEngine, AgentTools, EngineFactory } from '../agents/index.ts'
import type { Config } from '../config/config.ts'
import { ServiceError } from '../errors.ts'
import type { Models } from '../models/index.ts'
import type { AgentFactory, AgentModule } from '../modules/index.ts'
import type { Authenticate } from './http/index.ts'
import type { ApplicationStorage } from './open-stores.ts'
import type { ServerPlugin } from './server-plugin.ts'
import type { ServerProtocol } from './surfaces/index.ts'

/**
 * What `createServer` takes.
 *
 * @example
 * const options: ServerOptions = { agents: [dice], auth: async () => ({ userId: 'ada' }) }
 * const server = await createServer(options)
 */
export type ServerOptions = ApplicationStorage & {
  /** Agents, agent modules, and factories of agent modules. */
  readonly agents: readonly (Agent<AgentTools> | AgentModule<AgentTools> | AgentFactory)[]
  /** Default: the settings of the environment and of `config.yaml` in the home. */
  readonly config?: Config
  /** The path below which the application has the server, such as `/api/agents`. Default: that of the settings. */
  readonly basePath?: string
  /** Finds the model of each agent. Default: the providers of the environment and of `models.yaml`. */
  readonly models?: Models
  /** Engines in addition to the server's own. A factory also serves callers who bring their own model. */
  readonly engines?: readonly (AgentEngine | EngineFactory)[]
  /** Wire formats besides those of the server. */
  readonly protocols?: readonly ServerProtocol[]
  /** Packages that add to the server: Socket.IO, telemetry. */
  readonly plugins?: readonly ServerPlugin[]
  /** Finds the user of each request, as by the application's own session. Default: the tokens of the home. */
  readonly auth?: Authenticate
}

/**
 * Other fields may be there: an opened storage, which is spread into the options, also has methods.
 * @throws ServiceError `invalid-request` for a port, which would have no effect, and for missing agents
 */
export function checkServerOptions(options: ServerOptions): void {
  if ('port' in options)
    throw new ServiceError(
      'invalid-request',
      'createServer: port is not an option. Pass it to listen: server.listen({ port }).',
    )
  if (!Array.isArray(options.agents))
    throw new ServiceError(
      'invalid-request',
      'createServer: agents must be a list, such as [defineAgent({ id, instructions, tools })].',
    )
}
