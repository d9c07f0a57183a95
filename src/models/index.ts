export type { ModelChoice, Speaker } from './choice.ts'
export { modelsFileSchema, type ModelsFile } from './models-file.ts'
export { createModels, type Models, type ModelsOptions } from './registry.ts'
