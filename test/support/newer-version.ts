import type { Migration } from '../../packages/dragoman/src/index.ts'

const TABLES = ['conversations', 'chat_messages', 'questions', 'runs', 'run_states', 'run_entries']

/** What a newer version of the server with an agent `later` does at its start: columns in tables that all nodes use. */
export const newerColumns: readonly Migration[] = [
  { name: 'later-1', statements: TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN mood TEXT`) },
]
