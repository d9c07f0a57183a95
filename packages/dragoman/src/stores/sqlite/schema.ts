/**
 * The log's own tables. A delta is a row of columns, everything else JSON in `body`; `part` is the number after
 * the run's id in our part and call ids, or the whole id where it has another shape; `at` counts ms from the
 * run's start, so that it stays short.
 */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS runs (
  num INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  thread_id TEXT NOT NULL,
  user_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  agent TEXT NOT NULL,
  parent_id TEXT,
  run_key TEXT,
  request TEXT NOT NULL,
  reply TEXT NOT NULL,
  on_crash TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS idx_runs_thread ON runs (thread_id, num);
CREATE UNIQUE INDEX IF NOT EXISTS idx_runs_message ON runs (user_id, message_id);

-- What changes with every append, apart from what never does, so that an append rewrites few bytes.
CREATE TABLE IF NOT EXISTS run_states (
  num INTEGER PRIMARY KEY REFERENCES runs (num) ON DELETE CASCADE,
  status TEXT NOT NULL,
  epoch INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  last_at INTEGER NOT NULL,
  owner TEXT,
  open_calls INTEGER NOT NULL,
  waiting_until REAL NOT NULL,
  changed INTEGER NOT NULL,
  form INTEGER NOT NULL DEFAULT 0,
  crashes INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER
);
CREATE INDEX IF NOT EXISTS idx_run_states_changed ON run_states (changed);
CREATE INDEX IF NOT EXISTS idx_run_states_live ON run_states (status)
  WHERE status IN ('queued', 'running', 'waiting');

-- One row: the newest number in \`changed\`. Removals increase it too, and all else that is written to a log but for
-- new rows of its tail. If that number and the tail's end are those that a connection left, no other has written a log.
CREATE TABLE IF NOT EXISTS run_changes (last INTEGER NOT NULL);
INSERT INTO run_changes SELECT coalesce(max(changed), 0) FROM run_states HAVING NOT EXISTS
  (SELECT 1 FROM run_changes);

CREATE TABLE IF NOT EXISTS run_keys (
  user_id TEXT NOT NULL,
  key TEXT NOT NULL,
  num INTEGER NOT NULL REFERENCES runs (num) ON DELETE CASCADE,
  PRIMARY KEY (user_id, key)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idx_run_keys_run ON run_keys (num);

CREATE TABLE IF NOT EXISTS run_claims (
  num INTEGER NOT NULL REFERENCES runs (num) ON DELETE CASCADE,
  epoch INTEGER NOT NULL,
  owner TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (num, epoch)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS owners (owner TEXT PRIMARY KEY, alive_until INTEGER NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS run_entries (
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  part,
  body TEXT NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (run, seq),
  FOREIGN KEY (run) REFERENCES runs (num) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS idx_run_entries_structure ON run_entries (run, seq) WHERE kind = 0;

-- What runs have said last, in the order in which it came: see run-tail.ts.
CREATE TABLE IF NOT EXISTS run_tail (
  id INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs (num) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  at INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  part,
  body TEXT NOT NULL,
  checksum INTEGER
);

-- What an ended run has said, from its entry \`first\` to its entry \`last\`, as one: see packed.ts.
CREATE TABLE IF NOT EXISTS run_pieces (
  run INTEGER NOT NULL REFERENCES runs (num) ON DELETE CASCADE,
  last INTEGER NOT NULL,
  first INTEGER NOT NULL,
  body BLOB NOT NULL,
  checksum INTEGER,
  PRIMARY KEY (run, last)
);
`

/** What a file that an earlier version made lacks: a column, and what adds it. */
export const ADDED_COLUMNS = [
  {
    table: 'run_states',
    column: 'form',
    add: 'ALTER TABLE run_states ADD COLUMN form INTEGER NOT NULL DEFAULT 0',
  },
  {
    table: 'run_states',
    column: 'crashes',
    add: 'ALTER TABLE run_states ADD COLUMN crashes INTEGER NOT NULL DEFAULT 0',
  },
  {
    // It is in `runs` too, but behind the request, through which SQLite would go. Earlier runs have it there alone.
    table: 'run_states',
    column: 'created_at',
    add: 'ALTER TABLE run_states ADD COLUMN created_at INTEGER',
  },
  { table: 'run_entries', column: 'checksum', add: 'ALTER TABLE run_entries ADD COLUMN checksum INTEGER' },
  { table: 'run_pieces', column: 'checksum', add: 'ALTER TABLE run_pieces ADD COLUMN checksum INTEGER' },
] as const

/** What stands on those columns. */
export const ADDED_INDEXES = `
CREATE INDEX IF NOT EXISTS idx_run_states_ended ON run_states (form, last_at)
  WHERE status IN ('finished', 'failed', 'cancelled');
`
