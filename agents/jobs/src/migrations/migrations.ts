import type { Migration, MigrationStatement } from 'dragoman/database'
import { applications } from './applications.ts'
import { stays } from './stays.ts'

/** The words alone: the texts themselves stand in jobs. */
const words: MigrationStatement = {
  sqlite: [
    `CREATE VIRTUAL TABLE job_words USING fts5 (
        title, company, location, description, tokenize = 'unicode61', content = '', contentless_delete = 1
      )`,
  ],
  postgres: [
    `CREATE TABLE job_words (
      "row" BIGINT PRIMARY KEY REFERENCES jobs (id) ON DELETE CASCADE, words TSVECTOR NOT NULL
    )`,
    'CREATE INDEX job_words_by_word ON job_words USING GIN (words)',
  ],
}

/** The tables of the jobs agent. */
export const jobsMigrations: readonly Migration[] = [
  {
    name: 'jobs-1-postings',
    statements: [
      `CREATE TABLE jobs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id TEXT NOT NULL,
        title TEXT NOT NULL,
        company TEXT NOT NULL,
        location TEXT,
        workplace TEXT CHECK (workplace IN ('remote', 'hybrid', 'onsite')),
        url TEXT NOT NULL,
        url_hash TEXT NOT NULL,
        status TEXT NOT NULL DEFAULT 'inbox',
        source TEXT NOT NULL,
        employment_type TEXT,
        salary_text TEXT,
        salary_min REAL,
        salary_max REAL,
        salary_currency TEXT,
        salary_period TEXT,
        salary_annual_min REAL,
        salary_annual_max REAL,
        description TEXT,
        posted_at TEXT,
        valid_through TEXT,
        starred INTEGER NOT NULL DEFAULT 0,
        score REAL,
        applied_at TEXT,
        first_seen_at TEXT NOT NULL,
        last_seen_at TEXT NOT NULL,
        created_at TEXT NOT NULL,
        UNIQUE (user_id, url_hash)
      ) STRICT`,
      'CREATE INDEX jobs_by_age ON jobs (user_id, created_at)',
      'CREATE INDEX jobs_by_status ON jobs (user_id, status)',
      `CREATE TABLE job_status_history (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        job_id INTEGER NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
        old_status TEXT,
        new_status TEXT NOT NULL,
        changed_at TEXT NOT NULL
      ) STRICT`,
      'CREATE INDEX job_status_history_by_job ON job_status_history (job_id)',
      words,
    ],
  },
  applications,
  stays,
]
