export type { ModelChoice, Speaker } from './choice.ts'
export { modelsFileSchema, type ModelsFile } from './models-file.ts'
export { createModels, type ConfiguredModels, type Models, type ModelsOptions } from './registry.ts'
