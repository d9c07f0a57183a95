import type { Database, Migration } from '../db/index.ts'

/**
 * What a run has used: numbers and names, nothing of what was said. It stays where its conversation is deleted. Of one that has not been
 * counted yet (`settled` 0) `tokens` are those that were set aside for it.
 */
export type RunUse = {
  run_id: string
  user_id: string
  agent: string
  /** A guest's, as a keyed hash. */
  address: string | null
  /** By whose days the user's limits went when it began; null where there were none. */
  zone: string | null
  /** When it began, in ms since 1970: it counts to the periods of that moment. */
  at: number
  /** What counts against limits. */
  tokens: number
  settled: number
  input_tokens: number
  output_tokens: number
}

/** How often something was used in a run, and what tokens went into it. */
export type PartUse = {
  run_id: string
  kind: 'model' | 'tool' | 'skill'
  name: string
  times: number
  input_tokens: number
  output_tokens: number
}

type UsageTables = { usage_runs: RunUse; usage_parts: PartUse; usage_walk: { id: number; cursor: number } }
export type UsageDatabase = ReturnType<typeof usageTables>

export const usageMigrations: readonly Migration[] = [
  {
    name: 'usage-1',
    statements: [
      `CREATE TABLE usage_runs (
        run_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, agent TEXT NOT NULL, address TEXT, zone TEXT, at INTEGER NOT NULL,
        tokens INTEGER NOT NULL, settled INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL
      ) STRICT`,
      // All that a limit counts stands in the index: at each start a month of somebody's runs may be summed up.
      'CREATE INDEX usage_runs_by_user ON usage_runs (user_id, at, agent, tokens)',
      'CREATE INDEX usage_runs_by_address ON usage_runs (address, at, agent, tokens) WHERE address IS NOT NULL',
      'CREATE INDEX usage_runs_open ON usage_runs (at) WHERE settled = 0',
      `CREATE TABLE usage_parts (
        run_id TEXT NOT NULL REFERENCES usage_runs (run_id) ON DELETE CASCADE, kind TEXT NOT NULL, name TEXT NOT NULL,
        times INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, PRIMARY KEY (run_id, kind, name)
      ) STRICT, WITHOUT ROWID`,
      'CREATE TABLE usage_walk (id INTEGER PRIMARY KEY CHECK (id = 1), cursor INTEGER NOT NULL) STRICT',
    ],
  },
]

/** The database as this folder sees it. */
export function usageTables(db: Database) {
  return db.withTables<UsageTables>()
}
