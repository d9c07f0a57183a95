export {
  defineTool,
  described,
  type Agent,
  type Capability,
  type Answer,
  type Door,
  type Operation,
  type ServerTool,
  type ToolCall,
  type ToolResult,
} from './agent/index.ts'
export { readConfig, type Config } from './config.ts'
export type { Database } from './db/index.ts'
export type { AgentEngine, EngineEvent, EngineHost, EngineJob, ToolOutcome } from './engines/index.ts'
export { ServiceError, type ErrorCode } from './errors.ts'
export type { Json, LogEntry, Message, Run, RunEvent } from './events/index.ts'
export { openDragoman, type Dragoman, type Parts } from './main.ts'
export type { ModelChoice, Models, Speaker } from './models/index.ts'
