import type { Migration } from 'dragoman/database'

/** The tables of the life agent. */
export const lifeMigrations: readonly Migration[] = [
  {
    name: 'life-1',
    statements: [
      `CREATE TABLE life_profiles (
        user_id TEXT PRIMARY KEY,
        display_name TEXT,
        birth TEXT,
        focus TEXT,
        preferences TEXT NOT NULL DEFAULT '{}',
        told TEXT NOT NULL DEFAULT '{}',
        updated_at TEXT NOT NULL
      ) STRICT`,
      `CREATE TABLE life_memories (
        id TEXT PRIMARY KEY,
        user_id TEXT NOT NULL,
        content TEXT NOT NULL,
        type TEXT NOT NULL CHECK (type IN ('fact', 'preference', 'goal', 'event', 'insight')),
        importance INTEGER NOT NULL CHECK (importance BETWEEN 1 AND 5),
        conversation_id TEXT,
        run_id TEXT,
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL
      ) STRICT`,
      'CREATE INDEX life_memories_by_user ON life_memories (user_id, updated_at)',
      `CREATE TABLE life_greetings (
        user_id TEXT NOT NULL,
        day TEXT NOT NULL,
        trace TEXT NOT NULL,
        greeting TEXT NOT NULL,
        PRIMARY KEY (user_id, day, trace)
      ) STRICT`,
    ],
  },
  {
    // The last visits of guests who came before the server recorded visits.
    name: 'life-2-earlier-guests',
    statements: [
      `INSERT OR IGNORE INTO guest_visits (guest_id, last_at)
      SELECT user_id, max(at) FROM (
        SELECT user_id, updated_at AS at FROM life_profiles
        UNION ALL SELECT user_id, updated_at FROM life_memories
        UNION ALL SELECT user_id, day || 'T00:00:00.000Z' FROM life_greetings
      ) WHERE user_id GLOB 'guest_*' GROUP BY user_id`,
    ],
  },
]
