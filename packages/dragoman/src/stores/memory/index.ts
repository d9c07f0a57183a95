export { memoryNotifier } from './notifier.ts'
export { memoryStore } from './store.ts'
