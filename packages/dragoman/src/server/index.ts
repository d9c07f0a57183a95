export { createAgentServices } from './agent-services.ts'
export { completeImport } from './complete-import.ts'
export { coreEngines } from './create-engines.ts'
export { configuredModels, createServer, type Server } from './create-server.ts'
export {
  assignConnection,
  createPageReader,
  cutIfStalled,
  watchBody,
  type Hold,
  type LoadAccount,
  type LoadShare,
  type PageReader,
} from './load/index.ts'
export { readEntries, type InProcessRuns, type RunOptions } from './in-process-runs.ts'
export type { ServerOptions } from './server-options.ts'
export { readSavedVariables } from './open-saved-variables.ts'
export { resealAll, sealedMigrations } from './reseal-all.ts'
export { collectMigrations } from './migrations.ts'
export type { ServerPlugin, SocketAgent, SocketServices } from './server-plugin.ts'
export { createModules } from './create-modules.ts'
export { drivesModel } from './model-access.ts'
export { findAgent } from './resolve-agents.ts'
export { MIN_NODE_VERSION, version } from '../version.ts'
