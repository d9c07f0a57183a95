export { aiSdkEngine } from './ai-sdk/index.ts'
export type {
  AgentEngine,
  CallInput,
  EngineCall,
  EngineEvent,
  EngineHost,
  EngineJob,
  ToolOutcome,
} from './engine.ts'
export { piEngine } from './pi/index.ts'
export { workflowEngine } from './workflow/index.ts'
