import { nextTurn } from 'dragoman/async'
import type { Kysely, Selectable, Updateable } from 'kysely'

import type { JobRow, Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import { BREAK, openWords, type Words } from '../words/search-words.ts'
import { placesIn } from '../places/places-in.ts'
import { statedSalary } from '../salary/read-salary.ts'
import { storePostingSkills } from '../skills/store-posting-skills.ts'
import { salaryColumns } from './posting-columns.ts'
import { postingWords } from './posting-words.ts'
import { repostKey } from './repost.ts'

/** Raised when stored postings need a new index. */
const INDEX_VERSION = 2
/** Splitting a piece of this size into words takes three milliseconds. */
const PIECE_CHARACTERS = 4000
/** Of a longer description, the beginning is found: the database takes a millisecond for a thousand words. */
const MAX_WORDS = 30_000
const BATCH_SIZE = 50

const columns = ['id', 'title', 'company', 'location', 'locations', 'workplace', 'description'] as const
type IndexedRow = Pick<Selectable<JobRow>, 'user_id' | (typeof columns)[number]>

/** Marks the index of a posting as outdated if a change affects it. */
export function behind(row: IndexedRow, changes: Updateable<JobRow>): { readonly index_version?: number } {
  const changed = columns.some((name) => changes[name] !== undefined && changes[name] !== row[name])
  return changed ? { index_version: 0 } : {}
}

/** Updates what is derived from a posting's texts: its words, skills and repost key. */
export async function indexPosting(db: Kysely<Tables>, id: number): Promise<void> {
  const words = await openWords()
  let row = await db
    .selectFrom('jobs')
    .select(['user_id', ...columns])
    .where('id', '=', id)
    .where('index_version', '<', INDEX_VERSION)
    .executeTakeFirst()
  while (row) {
    const texts = await wordsOf(words, row)
    row = await keep(db, row, texts)
  }
}

/** Updates all postings with an index of an older version. A failure is reported, and tried again at the next start. */
export async function reindex(
  db: Kysely<Tables>,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<void> {
  let last = 0
  while (!signal.aborted) {
    const old = await db
      .selectFrom('jobs')
      .select('id')
      .where('index_version', '<', INDEX_VERSION)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH_SIZE)
      .execute()
    if (old.length === 0) return
    for (const { id } of old) {
      if (signal.aborted) return
      await indexPosting(db, id).catch(report)
      last = id
      await nextTurn()
    }
  }
}

type Texts = Readonly<Record<'title' | 'company' | 'location' | 'description', string>>

async function wordsOf(words: Words, row: IndexedRow): Promise<Texts> {
  const locationText = row.location ?? ''
  const others = (JSON.parse(row.locations) as string[]).filter((place) => !locationText.includes(place))
  return {
    title: words.index(row.title),
    company: words.index(row.company),
    location: words.index([locationText, ...others, row.workplace ?? ''].join('; ')),
    description: await inPieces(words, row.description ?? ''),
  }
}

async function inPieces(words: Words, text: string): Promise<string> {
  const found: string[] = []
  let count = 0
  for (let at = 0; at < text.length && count < MAX_WORDS;) {
    const piece = text.slice(at, at + pieceLength(text, at))
    if (at > 0) await nextTurn()
    const ofPiece = words.index(piece)
    found.push(ofPiece)
    count += ofPiece.split(' ').length
    at += piece.length
  }
  return found.join(BREAK)
}

/** A piece ends with a line or a word, if there is one. */
function pieceLength(text: string, at: number): number {
  if (text.length - at <= PIECE_CHARACTERS) return PIECE_CHARACTERS
  const piece = text.slice(at, at + PIECE_CHARACTERS)
  const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf(' '), piece.lastIndexOf('。'))
  return end > PIECE_CHARACTERS / 2 ? end + 1 : PIECE_CHARACTERS
}

/** Stores the words. @returns the posting as it is now, if it has changed since they were taken */
async function keep(db: Kysely<Tables>, entry: IndexedRow, texts: Texts): Promise<IndexedRow | undefined> {
  return userTransaction(db, entry.user_id, async (trx) => {
    const row = await trx.selectFrom('jobs').selectAll().where('id', '=', entry.id).executeTakeFirst()
    if (!row) return undefined
    if (columns.some((column) => row[column] !== entry[column])) return row
    await postingWords.write(trx, { row: row.id, owner: row.user_id }, texts)
    await storePostingSkills(trx, row)
    await trx
      .updateTable('jobs')
      .set({ index_version: INDEX_VERSION, repost_key: repostKey(row), ...filledIn(row) })
      .where('id', '=', row.id)
      .execute()
    return undefined
  })
}

/** Columns that postings of older versions lack. */
function filledIn(row: Selectable<JobRow>): Partial<Selectable<JobRow>> {
  const unread = row.salary_text !== null && row.salary_min === null && row.salary_max === null
  return {
    ...(row.locations === '[]' && { locations: JSON.stringify(placesIn(row.location ?? '')) }),
    ...(unread && row.salary_text !== null && salaryColumns(statedSalary(row.salary_text))),
  }
}
