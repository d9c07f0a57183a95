export { createModels, type ModelChoice, type Models, type ModelsOptions } from './registry.ts'
