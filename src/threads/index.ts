export { history, type History, type StoredMessage } from './history.ts'
export { projector, type Projector } from './projector.ts'
export { threadMigrations } from './tables.ts'
export { threads, type Thread, type Threads } from './threads.ts'
