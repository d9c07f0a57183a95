export { databaseFiles } from './database-files.ts'
export type { FileStore, StoredFile } from './file-store.ts'
export { fileMigrations } from './tables.ts'
