export { createAgentServices } from './agent-services.ts'
export {
  configuredModels,
  coreEngines,
  createServer,
  type Server,
  type ServerOptions,
} from './create-server.ts'
export { nobodyCanCall } from './door.ts'
export { migrationsOf } from './migrations.ts'
export type { ServerPlugin, SocketAgent, SocketServices } from './plugin.ts'
export { createModules } from './resolve-modules.ts'
export { agentOf, drivesModel } from './staff.ts'
export { oldestNode, version } from '../version.ts'
