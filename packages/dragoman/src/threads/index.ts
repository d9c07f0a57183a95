export { PROJECTION_PARTS } from './projection-cursors.ts'
export { createHistory, type History } from './history.ts'
export type { StoredMessage } from './message-rows.ts'
export { rewriteAllMessageWords } from './renew-message-words.ts'
export { createProjector, type Projector } from './projector.ts'
export type { DetachedQuestion, OpenQuestion, Questions } from './questions.ts'
export type { FoundMessage } from './search.ts'
export { threadMigrations, type MessageRow } from './tables.ts'
export type { MessagePage, MessagePages, PageMessage, PathEnd } from './message-pages.ts'
export { createThreadServices, type ThreadServices } from './thread-services.ts'
export {
  addThreadContext,
  inheritedContext,
  mergeThreadContext,
  createContextReader,
  threadDefaults,
  createContextUpdater,
} from './thread-context.ts'
export type { Thread } from './thread-rows.ts'
export type { ThreadStorage } from './thread-storage.ts'
export { createThreads, type Threads } from './threads.ts'
export { createTitles, type AskModel } from './titles.ts'
