export {
  defineAgent,
  defineTool,
  describeRoute,
  ToolError,
  toolResult,
  type Agent,
  type AgentEngine,
  type AgentModel,
  type AgentOptions,
  type AgentServices,
  type AgentTools,
  type ApprovalContext,
  type OperationResponse,
  type AppEnv,
  type DemoScript,
  type EngineEvent,
  type EngineFactory,
  type EngineHost,
  type EngineJob,
  type EngineTool,
  type InputSchema,
  type LanguageModel,
  type McpServer,
  type McpServers,
  type ModelReference,
  type ModelLimits,
  type ModelSettings,
  type Operation,
  type ProviderOptions,
  type StepInput,
  type StepSettings,
  type Tool,
  type ToolChoice,
  type ToolContext,
  type ToolDefinition,
  type ToolOutcome,
  type ToolResult,
} from './agents/index.ts'
export { readConfig, type Config } from './config/index.ts'
export {
  createServer,
  type InProcessRuns,
  type RunOptions,
  type Server,
  type ServerOptions,
} from './server/index.ts'
export type { Database, Migration } from './database/index.ts'
export {
  customEngine,
  type CustomJob,
  type CustomMessage,
  type CustomPart,
  type CustomStream,
} from './engine/index.ts'
export { ServiceError, type ErrorCode } from './errors.ts'
export type { Json, LogEntry, Message, Run, RunEvent } from './events/index.ts'
export type { Notifier, Store } from './log/index.ts'
export type { ModelChoice, Models, ModelInfo, ModelPreference } from './models/index.ts'
export type { AgentFactory, AgentModule } from './modules/index.ts'
export type { ObserverPorts, RunObserver } from './observability/index.ts'
export type { ServerPlugin, SocketServices } from './server/index.ts'
export type { Protocol } from './protocols/index.ts'
export type { Authenticate } from './server/http/index.ts'
