import { sql } from 'kysely'

import { keyedQueue, nextTurn } from '../async/index.ts'
import { MAX_INDEXED_CHARACTERS, tokenize, type Database } from '../database/index.ts'
import { ServiceError } from '../errors.ts'
import { messageWords } from './message-words.ts'
import { parsePhrases, type SearchPhrase } from './search-phrases.ts'
import { snippet, type Snippet } from './snippet.ts'
import { threadTables, type ConversationRow, type ThreadDatabase } from './tables.ts'
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
   * Reads only what the user has, one search of a user after the other.
   * @throws ServiceError `not-found` for a `before` that is not the user's; `rate-limited` if too many searches wait
   */
  find(userId: string, asked: { query: string; before?: string; limit: number }): Promise<SearchResult>
}

/** More searches of one user than this are refused while they wait for each other. */
const MAX_WAITING_SEARCHES = 16
/** Titles that are compared in one turn of the event loop. */
const TITLES_PER_TURN = 500
/** Messages whose snippets are cut in one turn. */
const MESSAGES_PER_TURN = 10

export function createSearch(db: Database): Search {
  const tables = threadTables(db)
  const inTurn = keyedQueue(MAX_WAITING_SEARCHES, tooManySearches)
  return {
    async find(userId, { query, before, limit }) {
      const phrases = parsePhrases(query)
      if (phrases.length === 0) return { threads: [], messages: [] }
      return inTurn(userId, async () => ({
        threads: before === undefined ? await titled(tables, userId, { phrases, limit }) : [],
        messages: await saying(tables, userId, { phrases, before, limit }),
      }))
    },
  }
}

function tooManySearches(): ServiceError {
  return new ServiceError(
    'rate-limited',
    'Your earlier searches have not ended yet: try again in a second.',
    {
      retryAfter: 1,
    },
  )
}

type Query = { readonly phrases: readonly SearchPhrase[]; readonly limit: number }

/** The latest threads whose title matches. */
async function titled(tables: ThreadDatabase, userId: string, { phrases, limit }: Query): Promise<Thread[]> {
  const found: ConversationRow[] = []
  for (let last: ConversationRow | undefined, isWhole = false; !isWhole && found.length < limit;) {
    let page = tables
      .selectFrom('conversations')
      .selectAll()
      .where('user_id', '=', userId)
      .where('title', 'is not', null)
    if (last) {
      const { updated_at: at, id } = last
      page = page.where((is) => is(is.refTuple('updated_at', 'id'), '<', is.tuple(at, id)))
    }
    const rows = await page
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(TITLES_PER_TURN)
      .execute()
    found.push(...rows.filter(({ title }) => hasPhrases(title ?? '', phrases)))
    last = rows.at(-1)
    isWhole = rows.length < TITLES_PER_TURN
    if (!isWhole) await nextTurn()
  }
  return found.slice(0, limit).map(toThread)
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
  const query = phrases.map((phrase) => [phrase])
  const found: FoundMessage[] = []
  let end = before === undefined ? Number.MAX_SAFE_INTEGER : await positionOf(tables, userId, before)
  while (found.length < limit) {
    const page = { owner: userId, before: end, limit: Math.min(limit - found.length, MESSAGES_PER_TURN) }
    const positions = await messageWords.newest(tables, query, page)
    found.push(...(await readFound(tables, userId, positions)).map((row) => toFound(row, phrases)))
    end = positions.at(-1) ?? 0
    if (positions.length < page.limit) break
    await nextTurn()
  }
  return found
}

/** A message may have been deleted since, or be another user's whose words have the same key. */
function readFound(tables: ThreadDatabase, userId: string, positions: readonly number[]) {
  return tables
    .selectFrom('chat_messages as m')
    .innerJoin('conversations as c', 'c.id', 'm.conversation_id')
    .select(['m.id as messageId', 'm.role', 'm.timestamp as at'])
    .select(sql<string>`substr(m.content, 1, ${sql.lit(MAX_INDEXED_CHARACTERS)})`.as('content'))
    .selectAll('c')
    .where('m.position', 'in', positions.length > 0 ? positions : [-1])
    .where('c.user_id', '=', userId)
    .orderBy('m.position', 'desc')
    .execute()
}

type FoundRow = Awaited<ReturnType<typeof readFound>>[number]

function toFound(row: FoundRow, phrases: readonly SearchPhrase[]): FoundMessage {
  return {
    thread: toThread(row),
    messageId: row.messageId,
    role: row.role === 'user' ? 'user' : 'assistant',
    at: row.at,
    snippet: snippet(row.content, phrases),
  }
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
