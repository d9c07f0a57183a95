import { setImmediate } from 'node:timers/promises'

import type { Kysely, Selectable, Updateable } from 'kysely'

import type { JobRow, Tables } from '../tables.ts'
import { BREAK, openWords, type Words } from '../words/search-words.ts'
import { placesIn } from '../places/places-in.ts'
import { statedSalary } from '../salary/read-salary.ts'
import { keepSkills } from '../skills/keep-skills.ts'
import { salaryColumns } from './draft.ts'
import { repostKey } from './repost.ts'

/** Raise it when a change to what is made of a posting shall reach those that are kept already. */
const VERSION = 1
/** To cut so many characters into words takes some three milliseconds: then others have their turn. */
const PIECE = 4000
const BATCH = 50

type Indexed = Pick<
  Selectable<JobRow>,
  'id' | 'title' | 'company' | 'location' | 'locations' | 'workplace' | 'description'
>
const columns = ['id', 'title', 'company', 'location', 'locations', 'workplace', 'description'] as const

/** What a change of a posting says of its index: where texts change, that it is behind. */
export function behind(row: Indexed, changes: Updateable<JobRow>): { readonly index_version?: number } {
  const changed = columns.some((name) => changes[name] !== undefined && changes[name] !== row[name])
  return changed ? { index_version: 0 } : {}
}

/**
 * Brings a posting's index of words up to date, and what else is made of its texts. Nothing, if it is, or is gone
 * meanwhile.
 */
export async function indexPosting(db: Kysely<Tables>, id: number): Promise<void> {
  const words = await openWords()
  let row = await db
    .selectFrom('jobs')
    .select(columns)
    .where('id', '=', id)
    .where('index_version', '<', VERSION)
    .executeTakeFirst()
  while (row) {
    const texts = await wordsOf(words, row)
    row = await keep(db, row, texts)
  }
}

/**
 * Indexes anew what an older version has indexed, a posting at a time. What fails is reported, and tried again the
 * next time.
 */
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
      .where('index_version', '<', VERSION)
      .where('id', '>', last)
      .orderBy('id')
      .limit(BATCH)
      .execute()
    if (old.length === 0) return
    for (const { id } of old) {
      if (signal.aborted) return
      await indexPosting(db, id).catch(report)
      last = id
      await setImmediate()
    }
  }
}

type Texts = Readonly<Record<'title' | 'company' | 'location' | 'description', string>>

async function wordsOf(words: Words, row: Indexed): Promise<Texts> {
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
  for (let at = 0; at < text.length;) {
    const piece = text.slice(at, at + pieceLength(text, at))
    if (at > 0) await setImmediate()
    found.push(words.index(piece))
    at += piece.length
  }
  return found.join(BREAK)
}

/** Up to the end of a line or of a word, where there is one. */
function pieceLength(text: string, at: number): number {
  if (text.length - at <= PIECE) return PIECE
  const piece = text.slice(at, at + PIECE)
  const end = Math.max(piece.lastIndexOf('\n'), piece.lastIndexOf(' '), piece.lastIndexOf('。'))
  return end > PIECE / 2 ? end + 1 : PIECE
}

/** Keeps the words, unless the posting has changed since they were taken: then it gives the posting as it is now. */
async function keep(db: Kysely<Tables>, entry: Indexed, texts: Texts): Promise<Indexed | undefined> {
  return db.transaction().execute(async (trx) => {
    const row = await trx.selectFrom('jobs').selectAll().where('id', '=', entry.id).executeTakeFirst()
    if (!row) return undefined
    if (columns.some((column) => row[column] !== entry[column])) return row
    await trx
      .replaceInto('job_words')
      .values({ rowid: row.id, ...texts })
      .execute()
    await keepSkills(trx, row)
    await trx
      .updateTable('jobs')
      .set({ index_version: VERSION, repost_key: repostKey(row), ...filledIn(row) })
      .where('id', '=', row.id)
      .execute()
    return undefined
  })
}

/** What postings of older versions lack. */
function filledIn(row: Selectable<JobRow>): Partial<Selectable<JobRow>> {
  const unread = row.salary_text !== null && row.salary_min === null && row.salary_max === null
  return {
    ...(row.locations === '[]' && { locations: JSON.stringify(placesIn(row.location ?? '')) }),
    ...(unread && row.salary_text !== null && salaryColumns(statedSalary(row.salary_text))),
  }
}
