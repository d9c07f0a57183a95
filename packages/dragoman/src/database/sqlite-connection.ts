import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

import type { QueryResult } from 'kysely'

import { ownedWords } from './newest-first-index.ts'
import { tokenize } from './tokenize.ts'

const MAX_STATEMENTS = 500

/** Sets a connection up for rows outside the log. */
export function setUpConnection(sqlite: DatabaseSync): void {
  // No checkpoints here: connections run on the thread of the streams. The log's thread makes them.
  sqlite.exec(
    `PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0;
     PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 0`,
  )
  // Deleted content is overwritten, so a deleted conversation does not remain in the file.
  sqlite.exec('PRAGMA secure_delete = ON; PRAGMA journal_size_limit = 67108864')
  // Triggers call this function, so an index is always written with its rows.
  sqlite.function('words', { deterministic: true }, (text) => (text === null ? null : tokenize(String(text))))
  sqlite.function('owned_words', { deterministic: true }, (text, owner, row) =>
    ownedWords(tokenize(String(text ?? '')), String(owner), Number(row)),
  )
}

/** A statement and its values. */
export type Statement = { readonly sql: string; readonly parameters: readonly unknown[] }

type PreparedStatement = {
  readonly statement: StatementSync
  readonly reads: boolean
  /** A statement with RETURNING reads and writes. */
  readonly isQuery: boolean
}

/** Caches prepared statements by text. When the cache is full, the oldest statement is dropped. */
export function statementCache(sqlite: DatabaseSync): (text: string) => PreparedStatement {
  const cache = new Map<string, PreparedStatement>()
  return (text) => {
    const cachedStatement = cache.get(text)
    if (cachedStatement) return cachedStatement
    const statement = sqlite.prepare(text)
    const prepared = { statement, reads: statement.columns().length > 0, isQuery: isQuery(text) }
    cache.set(text, prepared)
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_STATEMENTS) break
      cache.delete(oldest)
    }
    return prepared
  }
}

/** A statement that begins with WITH may write at its end. */
export function isQuery(text: string): boolean {
  return (
    /^\s*select/i.test(text) ||
    (/^\s*with/i.test(text) && !/\b(?:insert|update|delete|replace)\b/i.test(text))
  )
}

export function execute<R>({ statement, reads }: PreparedStatement, query: Statement): QueryResult<R> {
  const parameters = query.parameters as readonly SQLInputValue[]
  if (reads) return { rows: statement.all(...parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(...parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}
