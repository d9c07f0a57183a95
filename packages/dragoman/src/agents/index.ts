export type { Agent } from './agent.ts'
export type { AgentProfile, AgentTranslations, InstructionsInput, ModelLimits } from './agent-profile.ts'
export type { AppEnv } from './hono-app-env.ts'
export type {
  DemoExchange,
  DemoLanguage,
  DemoRequest,
  DemoScript,
  DemoStep,
  DemoText,
  DemoTool,
} from '../models/index.ts'
export {
  inputSchemaOf,
  isInputSchema,
  jsonFormOf,
  validateInput,
  type InputSchema,
  type Issue,
  type Validation,
} from './input-schema.ts'
export { toModelSchema } from './model-schema/index.ts'
export type { AgentServices, AgentStorage, Delegation, MessageHit, Task } from './agent-services.ts'
export { defineAgent, type AgentOptions } from './define-agent.ts'
export type {
  AgentEngine,
  CallHooks,
  CallInput,
  EngineCall,
  EngineEvent,
  EngineFactory,
  EngineHost,
  EngineJob,
  EngineTool,
  ToolOutcome,
} from './agent-engine.ts'
export type {
  ContextRules,
  InputGuardrail,
  OutputGuardrail,
  ResolvedTools,
  RunScope,
  ToolResolver,
} from './run-scope.ts'
export {
  modelFault,
  modelSettings,
  type AgentModel,
  type LanguageModel,
  type ModelReference,
  type ModelSettings,
  type ProviderOptions,
} from './agent-model.ts'
export { toolChoiceFault, type StepInput, type StepSettings, type ToolChoice } from './step-settings.ts'
export type { McpServer, McpServers } from './mcp-servers.ts'
export type { ModelQuestion, ToolModel } from './tool-model.ts'
export { normalizeTools, usableTools, type AgentTools } from './normalize-tools.ts'
export { describeRoute, operationOf, type OperationResponse, type Operation } from './openapi-operation.ts'
export type { ApprovalContext, ToolContext, ToolPreview } from './tool-context.ts'
export { defineTool, type Tool, type ToolDefinition } from './tool.ts'
export type { UserQuestion } from './user-question.ts'
export type { ProviderTool } from './provider-tool.ts'
export { quoteUntrustedBlock, UNTRUSTED_DATA_RULE } from './quote-untrusted-block.ts'
export { errorFiles, withErrorFiles } from './error-files.ts'
export { ToolError } from './tool-error.ts'
export { toolResult, type ToolFile, type ToolResult } from './tool-result.ts'
