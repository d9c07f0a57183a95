export type { ModelChoice, Speaker } from './choice.ts'
export { modelsFileSchema } from './models-file.ts'
export { createModels, type ConfiguredModels, type Models, type ModelsOptions } from './registry.ts'
export { textFrom } from './text.ts'
