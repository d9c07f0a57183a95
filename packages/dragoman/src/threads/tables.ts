import type { QuestionRow } from './question-row.ts'
import type { Generated, Selectable } from 'kysely'

import type { Database, Migration } from '../database/index.ts'
import { SQLITE_FINAL_WORDS } from './final-words.ts'
import {
  POSTGRES_MESSAGE_WORDS,
  POSTGRES_OWNED_WORDS,
  SQLITE_MESSAGE_WORDS,
  SQLITE_OWNED_WORDS,
} from './word-index-statements.ts'

/** Rows of threads. Times are ISO 8601, JSON is text. */
type ThreadTables = {
  conversations: ConversationTable
  chat_messages: MessageTable
  projections: { name: string; cursor: number | string }
  questions: QuestionRow
  /** Of detached runs: `conversation_id` names no row. */
  detached_questions: QuestionRow
  /** The hashes of the client names of deleted threads. */
  removed_names: { trace: string }
  /** Messages, by position, whose words an earlier version has written. `last` null: up to the newest one. */
  message_words_renewals: { id: number; first: number; last: number | null; due_at: number | string }
}

export type ConversationTable = {
  id: string
  agent_id: string
  user_id: string
  /** The client's name of the thread. */
  client_id: string | null
  title: string | null
  created_at: string
  updated_at: string
  metadata: string
  title_by: TitleBy | null
  archived_at: string | null
  /** The last message of the chosen path. */
  chosen_id: string | null
  /** What the thread takes, and what of it are requests: see `messageBytes`. */
  bytes: Generated<number>
  request_bytes: Generated<number>
}

export type ConversationRow = Selectable<ConversationTable>

/** The source of a title: the first message, the first message until a model answers, a model, or the user. */
export type TitleBy = 'words' | 'wanted' | 'model' | 'user'

/** One message. An assistant's row contains the first `projected_seq` entries of the log of run `run_id`. */
export type MessageTable = {
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
  /** The parts, from which a model's history can be built after the log is deleted. */
  parts: string
  status: string | null
  failure: string | null
  parent_id: string | null
  client_id: string | null
  run_id: string | null
  projected_seq: Generated<number>
  /** When a path that ends here was chosen. */
  chosen_at: Generated<string | null>
  /** What the user thinks of an answer: `up` or `down`. */
  feedback: Generated<string | null>
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
      `CREATE UNIQUE INDEX idx_conversations_client ON conversations (user_id, agent_id, client_id)
       WHERE client_id IS NOT NULL`,
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
  {
    name: 'threads-2',
    statements: [
      `ALTER TABLE conversations ADD COLUMN title_by TEXT`,
      `UPDATE conversations SET title = NULL WHERE title = ''`,
      // Their owner is unknown.
      `UPDATE conversations SET title_by = 'user' WHERE title IS NOT NULL`,
      `CREATE INDEX idx_conversations_wanted ON conversations (updated_at) WHERE title_by = 'wanted'`,
      `ALTER TABLE conversations ADD COLUMN archived_at TEXT`,
      `CREATE INDEX idx_conversations_user ON conversations (user_id, updated_at)`,
      `ALTER TABLE conversations ADD COLUMN chosen_id TEXT`,
      `UPDATE conversations SET chosen_id = (
        SELECT id FROM chat_messages WHERE conversation_id = conversations.id ORDER BY position DESC LIMIT 1
      )`,
      `ALTER TABLE chat_messages ADD COLUMN chosen_at TEXT`,
      `CREATE INDEX idx_messages_parent ON chat_messages (conversation_id, parent_id, position)`,
      `CREATE INDEX idx_messages_live ON chat_messages (conversation_id) WHERE finish_reason = 'incomplete'`,
      `CREATE TABLE questions (
        call_id TEXT PRIMARY KEY, run_id TEXT NOT NULL,
        conversation_id TEXT NOT NULL REFERENCES conversations (id) ON DELETE CASCADE,
        user_id TEXT NOT NULL, agent TEXT NOT NULL, tool TEXT NOT NULL, input TEXT NOT NULL, kind TEXT NOT NULL,
        asked_at TEXT NOT NULL, expires_at TEXT
      )`,
      `CREATE INDEX idx_questions_user ON questions (user_id, asked_at)`,
      `CREATE INDEX idx_questions_run ON questions (run_id)`,
      `CREATE INDEX idx_questions_conversation ON questions (conversation_id)`,
      { sqlite: SQLITE_MESSAGE_WORDS, postgres: POSTGRES_MESSAGE_WORDS },
    ],
  },
  {
    name: 'threads-3',
    statements: [`CREATE TABLE removed_names (trace TEXT PRIMARY KEY) WITHOUT ROWID`],
  },
  {
    name: 'threads-4-owned-words',
    statements: [
      `CREATE TABLE message_words_renewals (
        id INTEGER PRIMARY KEY, first INTEGER NOT NULL, last INTEGER, due_at INTEGER NOT NULL
      )`,
      // Earlier words are renewed in the background: in a large home that takes minutes.
      `INSERT INTO message_words_renewals (id, first, last, due_at)
       SELECT 1, 0, max(position), 0 FROM chat_messages HAVING max(position) IS NOT NULL`,
      { sqlite: SQLITE_OWNED_WORDS, postgres: POSTGRES_OWNED_WORDS },
    ],
  },
  {
    name: 'threads-5-bytes',
    statements: [
      // Those of earlier threads are counted in the background.
      'ALTER TABLE conversations ADD COLUMN bytes INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE conversations ADD COLUMN request_bytes INTEGER NOT NULL DEFAULT 0',
    ],
  },
  {
    name: 'threads-6-detached-questions',
    // They run no detached run that asks.
    olderMayWrite: true,
    statements: [
      `CREATE TABLE detached_questions (
        call_id TEXT PRIMARY KEY, run_id TEXT NOT NULL, conversation_id TEXT NOT NULL, user_id TEXT NOT NULL,
        agent TEXT NOT NULL, tool TEXT NOT NULL, input TEXT NOT NULL, kind TEXT NOT NULL, asked_at TEXT NOT NULL,
        expires_at TEXT
      )`,
      `CREATE INDEX idx_detached_questions_user ON detached_questions (user_id, asked_at)`,
      `CREATE INDEX idx_detached_questions_run ON detached_questions (run_id)`,
    ],
  },
  {
    name: 'threads-7-feedback',
    statements: ['ALTER TABLE chat_messages ADD COLUMN feedback TEXT'],
  },
  {
    name: 'threads-8-forms',
    statements: ['questions', 'detached_questions'].flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN message TEXT`,
      `ALTER TABLE ${table} ADD COLUMN schema TEXT`,
    ]),
  },
  {
    name: 'threads-9-final-words',
    olderMayWrite: true,
    statements: [{ sqlite: SQLITE_FINAL_WORDS, postgres: [] }],
  },
  {
    name: 'threads-10-previews',
    // A question that they write has none.
    olderMayWrite: true,
    statements: ['questions', 'detached_questions'].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN preview TEXT`,
    ),
  },
]

/** The tables of this folder. */
export function threadTables(db: Database) {
  return db.withTables<ThreadTables>()
}

export type ThreadDatabase = ReturnType<typeof threadTables>
