import type { Migration, MigrationStatement } from 'dragoman/database'
import { outcomes } from './outcomes.ts'

/**
 * All that lists filter by, so that SQLite pages in no description to pass a posting over. PostgreSQL stores
 * descriptions apart from their rows, and its indexes take no long texts.
 */
const listed =
  'starred, workplace, source, company, salary_annual_min, salary_annual_max, posted_at, first_seen_at, ' +
  'follow_up_at, tags'

function listIndex(name: string, key: string, covered: string): MigrationStatement {
  return {
    sqlite: [`CREATE INDEX ${name} ON jobs (user_id, ${covered}, ${listed})`],
    postgres: [`CREATE INDEX ${name} ON jobs (user_id, ${key}, id)`],
  }
}

const forgetSighting: MigrationStatement = {
  sqlite: [
    `CREATE TRIGGER job_sightings_forget AFTER UPDATE OF job_id ON job_sightings WHEN new.job_id IS NULL BEGIN
      UPDATE job_sightings SET subject = NULL, sender = NULL WHERE source_id = new.source_id AND key = new.key;
    END`,
  ],
  postgres: [
    `CREATE FUNCTION job_sightings_forget() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      new.subject = NULL;
      new.sender = NULL;
      RETURN new;
    END $$`,
    `CREATE TRIGGER job_sightings_forget BEFORE UPDATE OF job_id ON job_sightings
      FOR EACH ROW WHEN (new.job_id IS NULL) EXECUTE FUNCTION job_sightings_forget()`,
  ],
}

/**
 * What is known of applications besides their postings: resumes, what was made of them, how it went, and where
 * postings come from.
 */
export const applications: Migration = {
  name: 'jobs-2-applications',
  statements: [
    `CREATE TABLE resumes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id TEXT NOT NULL,
      name TEXT NOT NULL,
      content TEXT NOT NULL,
      language TEXT NOT NULL CHECK (language IN ('en', 'zh')),
      is_default INTEGER NOT NULL DEFAULT 0,
      use_count INTEGER NOT NULL DEFAULT 0,
      version INTEGER NOT NULL DEFAULT 1,
      source TEXT NOT NULL,
      original_filename TEXT,
      parse_status TEXT NOT NULL CHECK (parse_status IN ('parsing', 'success', 'partial', 'failed')),
      parse_errors TEXT NOT NULL DEFAULT '[]',
      data TEXT NOT NULL DEFAULT '{}',
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL
    ) STRICT`,
    'CREATE UNIQUE INDEX resumes_default ON resumes (user_id) WHERE is_default = 1',
    'CREATE INDEX resumes_by_user ON resumes (user_id, updated_at)',
    `CREATE TABLE resume_versions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      resume_id INTEGER NOT NULL REFERENCES resumes (id) ON DELETE CASCADE,
      version INTEGER NOT NULL,
      name TEXT NOT NULL,
      content TEXT NOT NULL,
      created_at TEXT NOT NULL,
      UNIQUE (resume_id, version)
    ) STRICT`,
    `CREATE TABLE tailored_resumes (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id TEXT NOT NULL,
      job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      resume_id INTEGER NOT NULL REFERENCES resumes (id) ON DELETE CASCADE,
      resume_version INTEGER NOT NULL,
      version INTEGER NOT NULL,
      content TEXT NOT NULL,
      suggestions TEXT NOT NULL DEFAULT '[]',
      truth TEXT NOT NULL DEFAULT '{}',
      change TEXT NOT NULL DEFAULT '{}',
      call_key TEXT,
      origin TEXT NOT NULL CHECK (origin IN ('model', 'edit', 'restore')),
      model TEXT,
      is_latest INTEGER NOT NULL DEFAULT 1,
      created_at TEXT NOT NULL,
      UNIQUE (job_id, resume_id, version)
    ) STRICT`,
    'CREATE INDEX tailored_by_resume ON tailored_resumes (resume_id)',
    'CREATE INDEX tailored_by_user ON tailored_resumes (user_id, id)',
    'CREATE UNIQUE INDEX tailored_latest ON tailored_resumes (job_id, resume_id) WHERE is_latest = 1',
    'CREATE UNIQUE INDEX tailored_by_call ON tailored_resumes (user_id, call_key) WHERE call_key IS NOT NULL',
    `CREATE TABLE tailored_files (
      tailored_id INTEGER NOT NULL REFERENCES tailored_resumes (id) ON DELETE CASCADE,
      filename TEXT NOT NULL,
      type TEXT NOT NULL,
      bytes BLOB NOT NULL,
      created_at TEXT NOT NULL,
      PRIMARY KEY (tailored_id, filename)
    ) STRICT`,
    `CREATE TABLE job_analysis (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id TEXT NOT NULL,
      job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      resume_id INTEGER NOT NULL REFERENCES resumes (id) ON DELETE CASCADE,
      model TEXT NOT NULL,
      prompt_hash TEXT NOT NULL,
      score REAL NOT NULL,
      result TEXT NOT NULL,
      created_at TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX job_analysis_by_hash ON job_analysis (user_id, prompt_hash)',
    'CREATE INDEX job_analysis_by_job ON job_analysis (job_id, resume_id)',
    'CREATE INDEX job_analysis_by_resume ON job_analysis (resume_id)',
    `CREATE TABLE job_touches (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      at TEXT NOT NULL,
      kind TEXT NOT NULL,
      note TEXT NOT NULL DEFAULT ''
    ) STRICT`,
    'CREATE INDEX job_touches_by_job ON job_touches (job_id, at)',
    `CREATE TABLE job_skills (
      job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
      skill TEXT NOT NULL,
      need TEXT NOT NULL CHECK (need IN ('required', 'nice', 'mentioned')),
      PRIMARY KEY (job_id, skill)
    ) STRICT, WITHOUT ROWID`,
    `CREATE TABLE job_sources (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      user_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      settings TEXT NOT NULL,
      secret TEXT,
      schedule TEXT,
      enabled INTEGER NOT NULL DEFAULT 1,
      state TEXT NOT NULL DEFAULT '{}',
      last_synced_at TEXT,
      last_error TEXT,
      created_at TEXT NOT NULL,
      -- What names the same board or mailbox: nobody has one twice.
      identity TEXT NOT NULL,
      configured INTEGER NOT NULL DEFAULT 0,
      due_at TEXT,
      failures INTEGER NOT NULL DEFAULT 0,
      claimed_until TEXT,
      UNIQUE (user_id, identity)
    ) STRICT`,
    'CREATE INDEX job_sources_by_due ON job_sources (due_at) WHERE due_at IS NOT NULL',
    // A posting that its user has deleted leaves the fact of its sighting behind, so that it does not come back;
    // nothing else.
    `CREATE TABLE job_sightings (
      source_id INTEGER NOT NULL REFERENCES job_sources (id) ON DELETE CASCADE,
      key TEXT NOT NULL,
      job_id INTEGER REFERENCES jobs (id) ON DELETE SET NULL,
      seen_at TEXT NOT NULL,
      subject TEXT,
      sender TEXT,
      PRIMARY KEY (source_id, key)
    ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX job_sightings_by_job ON job_sightings (job_id)',
    forgetSighting,
    'ALTER TABLE jobs ADD COLUMN sub_status TEXT',
    "ALTER TABLE jobs ADD COLUMN locations TEXT NOT NULL DEFAULT '[]'",
    'ALTER TABLE jobs ADD COLUMN salary_months REAL',
    "ALTER TABLE jobs ADD COLUMN tags TEXT NOT NULL DEFAULT '[]'",
    "ALTER TABLE jobs ADD COLUMN contacts TEXT NOT NULL DEFAULT '[]'",
    'ALTER TABLE jobs ADD COLUMN notes TEXT',
    'ALTER TABLE jobs ADD COLUMN follow_up_at TEXT',
    'ALTER TABLE jobs ADD COLUMN resume_id INTEGER REFERENCES resumes (id) ON DELETE SET NULL',
    'ALTER TABLE jobs ADD COLUMN tailored_id INTEGER REFERENCES tailored_resumes (id) ON DELETE SET NULL',
    'ALTER TABLE jobs ADD COLUMN repost_key TEXT',
    'ALTER TABLE jobs ADD COLUMN closed_at TEXT',
    'ALTER TABLE jobs ADD COLUMN enriched_at TEXT',
    'ALTER TABLE jobs ADD COLUMN enrich_error TEXT',
    'ALTER TABLE jobs ADD COLUMN index_version INTEGER NOT NULL DEFAULT 0',
    'ALTER TABLE jobs ADD COLUMN updated_at TEXT',
    ...outcomes,
    'CREATE INDEX jobs_by_repost ON jobs (user_id, repost_key)',
    'CREATE INDEX jobs_by_resume ON jobs (resume_id)',
    'CREATE INDEX jobs_by_tailored ON jobs (tailored_id)',
    'CREATE INDEX jobs_by_follow_up ON jobs (user_id, follow_up_at) WHERE follow_up_at IS NOT NULL',
    'CREATE INDEX jobs_by_index_version ON jobs (index_version)',
    'DROP INDEX jobs_by_age',
    listIndex('jobs_by_age', 'created_at', 'created_at, status, score'),
    'DROP INDEX jobs_by_status',
    listIndex('jobs_by_status', 'status, created_at', 'status, created_at, score'),
    // By the very expression that the list is ordered by.
    listIndex('jobs_by_score', 'coalesce(score, -1)', 'coalesce(score, -1), status, created_at'),
    // The figures are made of these columns of all postings; in the rows they lie behind the descriptions.
    `CREATE INDEX jobs_outcomes ON jobs (
      user_id, id, status, source, created_at, applied_at, resume_id, tailored_id, sub_status, follow_up_at,
      reached_applied_at, told_applied_at, reached_interview_at, reached_offer_at,
      reached_rejected_at, reached_skipped_at
    )`,
    'DROP INDEX job_status_history_by_job',
    `CREATE INDEX job_status_history_in_order ON job_status_history (
      job_id, changed_at, id, new_status, left_at, stayed_days
    )`,
  ],
}
