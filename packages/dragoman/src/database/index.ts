export { copyDatabase, isOpenElsewhere } from './copy-database.ts'
export { findWalDamage } from './find-wal-damage.ts'
export { checkWal, refuseDamagedWal } from './write-ahead-log.ts'
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
export {
  newerMigrations,
  tableVersion,
  type AppliedMigrations,
  type TableVersion,
} from './newer-migrations.ts'
export { appliedMigrations, refuseNewerDatabase } from './refuse-newer-database.ts'
export { findNewerTables } from './find-newer-tables.ts'
export { forLargeRows, openDatabase, openDatabaseFile, type Database } from './open-database.ts'
export { skipUnwritable } from './skip-unwritable.ts'
export { MAX_INDEXED_CHARACTERS, tokenize } from './tokenize.ts'
export { createWordIndex } from './create-word-index.ts'
export { createNewestFirstIndex } from './newest-first-index.ts'
export type { WordIndex, WordIndexOptions, WordPhrase, WordQuery } from './word-index.ts'
