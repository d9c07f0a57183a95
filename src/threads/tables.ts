import type { Generated, Selectable } from 'kysely'

import type { Database, Migration } from '../db/index.ts'

/** Rows of the conversations. Times are ISO 8601, JSON is text. */
type ThreadTables = {
  conversations: ConversationRow
  chat_messages: MessageTable
  projections: { name: string; cursor: number }
}

export type ConversationRow = {
  id: string
  agent_id: string
  user_id: string
  /** The name that the client gave it. */
  client_id: string | null
  title: string | null
  created_at: string
  updated_at: string
  metadata: string
}

/** One message. Of an assistant's row `run_id` is its run, and the fold of that log's first `projected_seq` entries stands in it. */
type MessageTable = {
  position: number
  id: string
  conversation_id: string
  role: string
  content: string
  reasoning: string | null
  tool_calls: string | null
  timestamp: string
  /** `incomplete` until the run has ended. */
  finish_reason: string | null
  usage: string | null
  created_at: string
  /** The message's own parts: enough to rebuild a model's history when the log is gone. */
  parts: string
  status: string | null
  failure: string | null
  parent_id: string | null
  client_id: string | null
  run_id: string | null
  projected_seq: Generated<number>
}

export type MessageRow = Selectable<MessageTable>

export const threadMigrations: readonly Migration[] = [
  {
    name: 'threads-1',
    statements: [
      `CREATE TABLE conversations (
        id TEXT PRIMARY KEY, agent_id TEXT NOT NULL, user_id TEXT NOT NULL, client_id TEXT, title TEXT,
        created_at TEXT NOT NULL, updated_at TEXT NOT NULL, metadata TEXT NOT NULL DEFAULT '{}'
      )`,
      `CREATE INDEX idx_conversations_agent ON conversations (agent_id, user_id, updated_at)`,
      `CREATE UNIQUE INDEX idx_conversations_client ON conversations (user_id, agent_id, client_id) WHERE client_id IS NOT NULL`,
      `CREATE TABLE chat_messages (
        id TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        role TEXT NOT NULL, content TEXT NOT NULL, reasoning TEXT, tool_calls TEXT, timestamp TEXT NOT NULL,
        finish_reason TEXT, usage TEXT, created_at TEXT NOT NULL,
        parts TEXT NOT NULL, status TEXT, failure TEXT, parent_id TEXT, client_id TEXT, run_id TEXT,
        projected_seq INTEGER NOT NULL DEFAULT 0
      )`,
      `CREATE INDEX idx_messages_conversation ON chat_messages (conversation_id, position)`,
      `CREATE INDEX idx_messages_timestamp ON chat_messages (timestamp)`,
      `CREATE INDEX idx_messages_client ON chat_messages (conversation_id, client_id) WHERE client_id IS NOT NULL`,
      `CREATE TABLE projections (name TEXT PRIMARY KEY, cursor INTEGER NOT NULL)`,
    ],
  },
]

/** The database as this folder sees it. */
export function threadTables(db: Database) {
  return db.withTables<ThreadTables>()
}

export type ThreadDatabase = ReturnType<typeof threadTables>
