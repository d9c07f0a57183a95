import { createWordIndex, dialectOf, tokenize, type Database } from '../database/index.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'

const PAGE_MESSAGES = 500

/** The full-text index of messages: a row of it has the position of its message. */
export const messageWords = createWordIndex({ table: 'message_words', columns: { words: 1 } })

/** Writes the words of messages, in the transaction that writes them. In SQLite triggers do so. */
export async function writeMessageWords(
  trx: ThreadDatabase,
  messages: readonly { readonly position: number; readonly content: string }[],
): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return
  for (const { position, content } of messages)
    await messageWords.write(trx, position, { words: tokenize(content) })
}

/** Writes the words of all messages, of a database that has none of them yet. */
export async function rebuildMessageWords(db: Database): Promise<void> {
  const tables = threadTables(db)
  for (let last = -1, isWhole = false; !isWhole;) {
    const messages = await tables
      .selectFrom('chat_messages')
      .select(['position', 'content'])
      .where('position', '>', last)
      .orderBy('position')
      .limit(PAGE_MESSAGES)
      .execute()
    await writeMessageWords(tables, messages)
    last = messages.at(-1)?.position ?? last
    isWhole = messages.length < PAGE_MESSAGES
  }
}
