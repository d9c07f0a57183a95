export { toModelSchema } from './to-model-schema.ts'
