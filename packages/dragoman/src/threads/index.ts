export { createHistory, type History, type StoredMessage } from './history.ts'
export { createProjector, type Projector } from './projector.ts'
export type { OpenQuestion } from './questions.ts'
export type { FoundMessage } from './search.ts'
export { threadMigrations } from './tables.ts'
export type { MessagePages, PathEnd } from './message-pages.ts'
export { createThreadServices, type ThreadServices } from './thread-services.ts'
export {
  mergeThreadContext,
  createContextReader,
  threadDefaults,
  createContextUpdater,
} from './thread-context.ts'
export { createThreads, type Thread, type Threads } from './threads.ts'
export { createTitles } from './titles.ts'
