export { offlineModel } from './model.ts'
