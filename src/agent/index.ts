export { agentFile, applyAgentFile, unusedFields, type Configured } from './agent-file.ts'
export type { Agent } from './agent.ts'
export type { Capability, Door } from './capability.ts'
export { defineTool, type ServerTool, type ToolCall, type ToolResult } from './tool.ts'
