export { copyDatabase, isOpenElsewhere } from './copy-database.ts'
export { createDatabaseFile, databasePath, findMissingWal, unusableDatabaseError } from './database-file.ts'
export {
  dialectOf,
  inTurns,
  jsonStrings,
  jsonTable,
  lockRows,
  lockTurn,
  type DialectName,
} from './dialect.ts'
export { keyset } from './keyset.ts'
export { prepareQuery } from './prepare-query.ts'
export { lockMigrations, migrate, type Migration, type MigrationStatement } from './migrate.ts'
export { repeatWhileAway } from './repeat-while-away.ts'
export { newerMigrations, refuseNewerDatabase } from './refuse-newer-database.ts'
export {
  createDatabaseReplacementCheck as createDatabaseFileCheck,
  type DatabaseReplacementCheck as DatabaseFileCheck,
} from './database-replacement-check.ts'
export { openDatabase, type Database } from './open-database.ts'
export { tokenize } from './tokenize.ts'
export { createWordIndex } from './create-word-index.ts'
export type { WordIndex, WordIndexOptions, WordPhrase, WordQuery } from './word-index.ts'
