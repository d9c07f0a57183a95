import type { Migration } from '../../../db/index.ts'

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
]
