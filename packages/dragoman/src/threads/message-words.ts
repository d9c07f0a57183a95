import { createWordIndex, dialectOf, tokenize } from '../database/index.ts'
import type { ThreadDatabase } from './tables.ts'

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
