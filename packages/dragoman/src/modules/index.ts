export { agentFileSchema, applyAgentFile, unusedAgentFields, type ConfiguredModule } from './agent-file.ts'
export { applyAgentFiles, readAgentFiles } from './apply-agent-files.ts'
export type {
  AgentFactory,
  AgentModule,
  Condition,
  Finding,
  GuestAccess,
  UserData,
  View,
  ViewTitle,
} from './agent-module.ts'
export type { Surface } from '../server/surfaces/index.ts'
export { checkAgents } from './check-agents.ts'
export { guardHooks } from './guard-hooks.ts'
