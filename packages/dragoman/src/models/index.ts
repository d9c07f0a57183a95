export { createLlmConfigResolver } from './resolve-llm-config.ts'
export { isInstalled, packageHint } from './provider-packages.ts'
export { NO_PROVIDER, type ModelPreference } from './candidate-finder.ts'
export { NO_MODEL, type ModelChoice, type ModelInfo } from './model-choice.ts'
export type { ModelWait } from './resilient-model.ts'
export type {
  DemoExchange,
  DemoLanguage,
  DemoRequest,
  DemoScript,
  DemoStep,
  DemoText,
  DemoTool,
} from './demo/index.ts'
export { createModelFilter, modelListFault, type FindFullName, type ModelFilter } from './model-filter.ts'
export { toFullName } from './model-names.ts'
export { modelsFileSchema } from './models-file.ts'
export {
  createModels,
  isConfigured,
  type ConfiguredModels,
  type Models,
  type ModelsOptions,
} from './create-models.ts'
export {
  builtInVariables,
  customVariables,
  customVariablesIn,
  type ProviderVariables,
} from './built-in-providers.ts'
export { reconfigurableModels, type ReconfigurableModels, type SavedModels } from './reconfigurable-models.ts'
export { meterModels } from './meter-models.ts'
export type { ModelList } from './list-models.ts'
export { generateText } from './generate-text.ts'
export { createToolModel, type ModelMeter } from './create-tool-model.ts'
