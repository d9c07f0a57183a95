import type { RunUsageRow, UsagePartRow } from './usage-rows.ts'
import type { Database, Migration, MigrationStatement } from '../../database/index.ts'
import { MAX_RUN_TOKENS } from './count-run-usage.ts'

type UsageTables = {
  usage_runs: RunUsageRow
  usage_parts: UsagePartRow
  usage_walk: { id: number; cursor: number | string }
}
export type UsageDatabase = ReturnType<typeof usageTables>

export const usageMigrations: readonly Migration[] = [
  {
    name: 'usage-1',
    statements: [
      `CREATE TABLE usage_runs (
        run_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, agent TEXT NOT NULL, address TEXT, zone TEXT,
        at INTEGER NOT NULL,
        tokens INTEGER NOT NULL, settled INTEGER NOT NULL, input_tokens INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL
      ) STRICT`,
      // The index covers what a limit counts: each start may sum a month of a user's runs.
      'CREATE INDEX usage_runs_by_user ON usage_runs (user_id, at, agent, tokens)',
      'CREATE INDEX usage_runs_by_address ON usage_runs (address, at, agent, tokens) WHERE address IS NOT NULL',
      'CREATE INDEX usage_runs_open ON usage_runs (at) WHERE settled = 0',
      `CREATE TABLE usage_parts (
        run_id TEXT NOT NULL REFERENCES usage_runs (run_id) ON DELETE CASCADE, kind TEXT NOT NULL, name TEXT NOT NULL,
        times INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
        PRIMARY KEY (run_id, kind, name)
      ) STRICT, WITHOUT ROWID`,
      'CREATE TABLE usage_walk (id INTEGER PRIMARY KEY CHECK (id = 1), cursor INTEGER NOT NULL) STRICT',
    ],
  },
  {
    name: 'usage-2-own-keys',
    statements: [
      'ALTER TABLE usage_runs ADD COLUMN own_key INTEGER NOT NULL DEFAULT 0',
      // Earlier versions stored what providers reported, unchecked.
      ...['tokens', 'input_tokens', 'output_tokens'].map((column) => clampColumn('usage_runs', column)),
      ...['input_tokens', 'output_tokens'].map((column) => clampColumn('usage_parts', column)),
    ],
  },
]

function clampColumn(table: string, column: string): MigrationStatement {
  const statement = `UPDATE ${table} SET ${column} = max(0, min(${column}, ${MAX_RUN_TOKENS}))
    WHERE ${column} NOT BETWEEN 0 AND ${MAX_RUN_TOKENS}`
  // No version without these limits ran on PostgreSQL.
  return { sqlite: [statement], postgres: [] }
}

/** The database as this folder sees it. */
export function usageTables(db: Database) {
  return db.withTables<UsageTables>()
}
