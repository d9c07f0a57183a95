import { tokenize, type Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import { messageWords } from './message-words.ts'
import { parsePhrases, type SearchPhrase } from './search-phrases.ts'
import { snippet, type Snippet } from './snippet.ts'
import { threadTables, type ThreadDatabase } from './tables.ts'
import { toThread, type Thread } from './thread-rows.ts'

/** A message that matches the query. */
export type FoundMessage = {
  readonly thread: Thread
  readonly messageId: string
  readonly role: 'user' | 'assistant'
  /** ISO 8601 */
  readonly at: string
  readonly snippet: Snippet
}

export type SearchResult = { readonly threads: readonly Thread[]; readonly messages: readonly FoundMessage[] }

/** Full-text search in English, Chinese and other languages. */
export interface Search {
  /**
   * Finds a user's messages with every word of `query`, newest first, in all branches and in archived threads.
   * The first page also has the threads whose title matches. Adjacent words must be adjacent in the match. A word
   * of two letters or more matches as a prefix. `before` is a message's id.
   * @throws ServiceError `not-found` for a `before` that is not the user's
   */
  find(userId: string, asked: { query: string; before?: string; limit: number }): Promise<SearchResult>
}

export function createSearch(db: Database): Search {
  const tables = threadTables(db)
  return {
    async find(userId, { query, before, limit }) {
      const phrases = parsePhrases(query)
      if (phrases.length === 0) return { threads: [], messages: [] }
      return {
        threads: before === undefined ? await titled(tables, userId, { phrases, limit }) : [],
        messages: await saying(tables, userId, { phrases, before, limit }),
      }
    },
  }
}

type Query = { readonly phrases: readonly SearchPhrase[]; readonly limit: number }

/** A user has few enough threads to read all their titles. */
async function titled(tables: ThreadDatabase, userId: string, { phrases, limit }: Query): Promise<Thread[]> {
  const titles = await tables
    .selectFrom('conversations')
    .select(['id', 'title'])
    .where('user_id', '=', userId)
    .where('title', 'is not', null)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  const ids = titles.filter(({ title }) => hasPhrases(title ?? '', phrases)).map(({ id }) => id)
  const found = ids.slice(0, limit)
  if (found.length === 0) return []
  const rows = await tables.selectFrom('conversations').selectAll().where('id', 'in', found).execute()
  return rows.toSorted((a, b) => found.indexOf(a.id) - found.indexOf(b.id)).map(toThread)
}

function hasPhrases(title: string, phrases: readonly SearchPhrase[]): boolean {
  const padded = ` ${tokenize(title)} `
  return phrases.every(({ words, isPrefix }) => padded.includes(` ${words.join(' ')}${isPrefix ? '' : ' '}`))
}

type MessageQuery = Query & { readonly before: string | undefined }

async function saying(
  tables: ThreadDatabase,
  userId: string,
  { phrases, before, limit }: MessageQuery,
): Promise<FoundMessage[]> {
  const end = before === undefined ? Number.MAX_SAFE_INTEGER : await positionOf(tables, userId, before)
  // SQLite's index returns rows in the order of the messages, and stops at the end of the page.
  const rows = await tables
    .selectFrom(
      messageWords
        .find(
          tables,
          phrases.map((phrase) => [phrase]),
        )
        .as('found'),
    )
    .innerJoin('chat_messages as m', 'm.position', 'found.row')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['m.id as messageId', 'm.role', 'm.content', 'm.timestamp as at'])
    .selectAll('c')
    .where('found.row', '<', end)
    .where('c.user_id', '=', userId)
    .orderBy('found.row', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    thread: toThread(row),
    messageId: row.messageId,
    role: row.role === 'user' ? 'user' : 'assistant',
    at: row.at,
    snippet: snippet(row.content, phrases),
  }))
}

async function positionOf(tables: ThreadDatabase, userId: string, messageId: string): Promise<number> {
  const row = await tables
    .selectFrom('chat_messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select('m.position')
    .where('m.id', '=', messageId)
    .where('c.user_id', '=', userId)
    .executeTakeFirst()
  if (row) return row.position
  throw new ServiceError('not-found', 'There is no such message.')
}
