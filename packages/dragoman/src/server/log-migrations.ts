import type { Migration } from '../database/index.ts'

const TAIL = 'core-1-run-tail'

/**
 * The log makes its tables itself. This is the mark of one: a version that reads only `run_entries` must refuse the
 * database. PostgreSQL has no such table, and an older node may go on.
 */
export const logMigrations: readonly Migration[] = [
  {
    name: TAIL,
    statements: [{ sqlite: [], postgres: [`INSERT INTO compatible_migrations (name) VALUES ('${TAIL}')`] }],
  },
]
