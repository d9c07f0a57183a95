export { callersModels } from './callers-model.ts'
export { NO_PROVIDER, type WantedModel } from './candidates.ts'
export type { ModelChoice, Speaker } from './choice.ts'
export type {
  DemoExchange,
  DemoLanguage,
  DemoRequest,
  DemoScript,
  DemoStep,
  DemoText,
  DemoTool,
} from './demo/index.ts'
export { modelsFileSchema } from './models-file.ts'
export {
  createModels,
  isConfigured,
  type ConfiguredModels,
  type Models,
  type ModelsOptions,
} from './registry.ts'
export { textFrom } from './text.ts'
export { toolModel } from './tool-model.ts'
