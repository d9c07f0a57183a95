import type { Generated, Selectable } from 'kysely'

import type { Database, Migration } from '../database/index.ts'

/** Rows of threads. Times are ISO 8601, JSON is text. */
type ThreadTables = {
  conversations: ConversationRow
  chat_messages: MessageTable
  projections: { name: string; cursor: number | string }
  questions: QuestionRow
  /** The hashes of the client names of deleted threads. */
  removed_names: { trace: string }
}

export type ConversationRow = {
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
}

/** The source of a title: the first message, the first message until a model answers, a model, or the user. */
export type TitleBy = 'words' | 'wanted' | 'model' | 'user'

/** A call that waits for an answer. Only its run's log decides whether it is still open. */
export type QuestionRow = {
  call_id: string
  run_id: string
  conversation_id: string
  user_id: string
  agent: string
  tool: string
  input: string
  kind: string
  asked_at: string
  expires_at: string | null
}

/** One message. An assistant's row contains the first `projected_seq` entries of the log of run `run_id`. */
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
}

export type MessageRow = Selectable<MessageTable>

/** Triggers update the full-text index in the transaction that writes the row. */
const MESSAGE_WORDS = [
  // The index without the texts, which are in chat_messages. They are tokenized already: all that is not ASCII
  // is part of a token.
  `CREATE VIRTUAL TABLE message_words USING fts5 (
    words, tokenize = 'ascii', content = '', contentless_delete = 1
  )`,
  `CREATE TRIGGER chat_messages_added AFTER INSERT ON chat_messages BEGIN
    INSERT INTO message_words (rowid, words) VALUES (new.position, words(new.content));
  END`,
  `CREATE TRIGGER chat_messages_changed AFTER UPDATE OF content ON chat_messages
   WHEN new.content IS NOT old.content BEGIN
    DELETE FROM message_words WHERE rowid = old.position;
    INSERT INTO message_words (rowid, words) VALUES (new.position, words(new.content));
  END`,
  `CREATE TRIGGER chat_messages_removed AFTER DELETE ON chat_messages BEGIN
    DELETE FROM message_words WHERE rowid = old.position;
  END`,
  `INSERT INTO message_words (rowid, words) SELECT position, words(content) FROM chat_messages`,
]

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
      ...MESSAGE_WORDS,
    ],
  },
  {
    name: 'threads-3',
    statements: [`CREATE TABLE removed_names (trace TEXT PRIMARY KEY) WITHOUT ROWID`],
  },
]

/** The tables of this folder. */
export function threadTables(db: Database) {
  return db.withTables<ThreadTables>()
}

export type ThreadDatabase = ReturnType<typeof threadTables>
