export { createModels, type ModelChoice, type Models, type ModelsOptions, type Speaker } from './registry.ts'
