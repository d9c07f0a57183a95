import type { Database, Migration } from '../../database/index.ts'

/** A token, found by its hash: the token itself is not stored. Times are ISO 8601. */
export type TokenRow = {
  id: string
  token_hash: string
  name: string
  user_id: string
  created_at: string
  last_used_at: string | null
}

/** A browser that is signed in by a token, found by the hash of its cookie. Times are ISO 8601. */
export type SessionRow = {
  id: string
  secret_hash: string
  token_id: string
  browser: string | null
  created_at: string
  last_used_at: string
}

/** A guest that an account has claimed, without any content. */
export type ClaimRow = {
  guest_id: string
  user_id: string
  begun_at: string
  /** Null until everything has been transferred. */
  done_at: string | null
}

/** A guest's last visit. `taken_at`: when the latest removal began; null for active guests. */
export type VisitRow = { guest_id: string; last_at: string; taken_at: string | null }

export const userMigrations: readonly Migration[] = [
  {
    name: 'users-1-tokens',
    statements: [
      `CREATE TABLE auth_tokens (
        id TEXT PRIMARY KEY, token_hash TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, user_id TEXT NOT NULL,
        created_at TEXT NOT NULL, last_used_at TEXT
      ) STRICT`,
    ],
  },
  {
    name: 'users-2-claims',
    statements: [
      `CREATE TABLE guest_claims (
        guest_id TEXT PRIMARY KEY, user_id TEXT NOT NULL, begun_at TEXT NOT NULL, done_at TEXT
      ) STRICT`,
    ],
  },
  {
    name: 'users-3-visits',
    statements: [
      `CREATE TABLE guest_visits (
        guest_id TEXT PRIMARY KEY, last_at TEXT NOT NULL, taken_at TEXT
      ) STRICT, WITHOUT ROWID`,
      'CREATE INDEX guest_visits_by_last ON guest_visits (last_at)',
      // With SQLite, keys are files in the home.
      { sqlite: [], postgres: ['CREATE TABLE server_keys (name TEXT PRIMARY KEY, value TEXT NOT NULL)'] },
    ],
  },
  {
    name: 'users-4-sessions',
    olderMayWrite: true,
    statements: [
      `CREATE TABLE user_sessions (
        id TEXT PRIMARY KEY, secret_hash TEXT NOT NULL UNIQUE, token_id TEXT NOT NULL, browser TEXT,
        created_at TEXT NOT NULL, last_used_at TEXT NOT NULL
      ) STRICT`,
      'CREATE INDEX user_sessions_by_token ON user_sessions (token_id, last_used_at)',
      'CREATE INDEX user_sessions_by_use ON user_sessions (last_used_at)',
    ],
  },
  {
    name: 'users-5-audit',
    olderMayWrite: true,
    statements: [
      `CREATE TABLE audit_entries (
        id TEXT PRIMARY KEY, at TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, subject TEXT NOT NULL
      ) STRICT`,
      'CREATE INDEX audit_entries_by_time ON audit_entries (at)',
    ],
  },
]

/** What an operator has looked at. It names no user. */
export type AuditRow = { id: string; at: string; actor: string; action: string; subject: string }

/** Keys that all nodes share. */
type KeyRow = { name: string; value: string }

type UserTables = {
  auth_tokens: TokenRow
  user_sessions: SessionRow
  guest_claims: ClaimRow
  guest_visits: VisitRow
  server_keys: KeyRow
  audit_entries: AuditRow
}

/** A claim and a removal of the same guest exclude each other. */
export function guestTurn(guest: string): string {
  return `guest ${guest}`
}

/** The database as this folder sees it. */
export function userTables(db: Database) {
  return db.withTables<UserTables>()
}
