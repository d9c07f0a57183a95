export { aiSdkEngine } from './ai-sdk/index.ts'
export type { AgentEngine, EngineCall, EngineEvent, EngineHost, EngineJob, ToolOutcome } from './engine.ts'
export { piEngine } from './pi/index.ts'
