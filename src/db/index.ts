export { databaseFile, unusable } from './file.ts'
export { prepared } from './prepared.ts'
export { migrate, type Migration } from './migrate.ts'
export { openDatabase, type Database } from './open.ts'
