import type { Insertable, Kysely, Transaction } from 'kysely'

import type { Database } from '../../db/index.ts'
import { ServiceError } from '../../errors.ts'
import { urlHash } from './canonical-url.ts'
import { draftOf, draftOfPage, enriched, type Draft, type NewPosting, type Row } from './draft.ts'
import { postingOf, summaryOf, type Posting } from './posting.ts'
import { readPage } from './read-page.ts'
import { conditions, holding, ofUser, search, type Filters, type Found, type Search } from './search.ts'
import { statuses, type Status } from './status.ts'
import type { JobRow, Tables } from './tables.ts'
import { openWords, type Words } from './words.ts'

/** A posting's page, as it was when the user looked at it. */
export type SeenPage = { readonly url: URL; readonly content: string; readonly seenAt?: Date | undefined }

export type Page = { readonly limit: number; readonly offset: number }
export type Saved = { readonly job: Posting; readonly created: boolean }
export type Counts = Readonly<Record<Status, number>>

/** The postings of each user. Nobody sees those of another: to them they do not exist. */
export interface Postings {
  /** Keeps a posting. One with an address that is known is seen again, and stays as it is. */
  create(userId: string, posting: NewPosting): Promise<Saved>
  /** Keeps the posting on a page. One that is known gains what it lacked. @throws ServiceError `invalid-request` if none can be read */
  ingest(userId: string, page: SeenPage): Promise<Saved>
  /** @throws ServiceError `not-found`, also for a posting that is another user's. */
  get(userId: string, id: number): Promise<Posting>
  /** The newest first. */
  list(
    userId: string,
    filters: Filters & { search?: string | undefined },
    page: Page,
  ): Promise<{ jobs: Posting[]; total: number }>
  /** The best first, with their descriptions. */
  search(userId: string, query: Search): Promise<Found>
  /** How many postings have each status. */
  counts(userId: string): Promise<Counts>
}

/** Keeps postings in the database. */
export function postings(database: Database): Postings {
  const db = database.withTables<Tables>()
  return {
    create: (userId, posting) =>
      save(db, userId, { url: posting.url, draft: draftOf(posting), seenAt: new Date(), merge: () => ({}) }),

    ingest: async (userId, { url, content, seenAt = new Date() }) => {
      const page = await readPage(content, url)
      const merge = (row: Row): Partial<Draft> => enriched(row, page)
      return save(db, userId, { url, draft: draftOfPage(page), seenAt, merge })
    },

    async get(userId, id) {
      const mine = db.selectFrom('jobs').selectAll().where('user_id', '=', userId)
      const row = await mine.where('id', '=', id).executeTakeFirst()
      if (!row) throw new ServiceError('not-found', 'Job not found')
      return postingOf(row)
    },

    async list(userId, { search: wanted = '', ...filters }, { limit, offset }) {
      const words = await openWords()
      const where = [ofUser(userId), ...conditions(words, filters), ...holding(words.terms(wanted))]
      const matching = db.selectFrom('jobs').where((eb) => eb.and(where))
      const { total } = await matching
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      const newest = matching.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc')
      const rows = await newest.limit(limit).offset(offset).execute()
      return { jobs: rows.map(summaryOf), total }
    },

    search: async (userId, query) => search(db, await openWords(), userId, query),

    counts: (userId) => counts(db, userId),
  }
}

/** A posting to keep. `merge` says what changes in a row that is already there. */
type Sighting = {
  readonly url: URL
  readonly draft: Draft
  readonly seenAt: Date
  readonly merge: (row: Row) => Partial<Draft>
}

async function save(
  db: Kysely<Tables>,
  userId: string,
  { url, draft, seenAt, merge }: Sighting,
): Promise<Saved> {
  const words = await openWords()
  const hash = urlHash(url)
  const seen = seenAt.toISOString()
  const now = new Date().toISOString()
  return db.transaction().execute(async (trx) => {
    const mine = trx.selectFrom('jobs').selectAll().where('user_id', '=', userId)
    const known = await mine.where('url_hash', '=', hash).executeTakeFirst()
    const row = known
      ? await update(trx, known, {
          ...merge(known),
          last_seen_at: seen > known.last_seen_at ? seen : known.last_seen_at,
        })
      : await insert(trx, {
          ...draft,
          user_id: userId,
          url: url.href,
          url_hash: hash,
          status: 'inbox',
          first_seen_at: seen,
          last_seen_at: seen,
          created_at: now,
        })
    await indexWords(trx, words, row)
    return { job: postingOf(row), created: !known }
  })
}

async function counts(db: Kysely<Tables>, userId: string): Promise<Counts> {
  const rows = await db
    .selectFrom('jobs')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('status')
    .execute()
  const counted = new Map(rows.map(({ status, count }) => [status, count]))
  return Object.fromEntries(statuses.map((status) => [status, counted.get(status) ?? 0])) as Counts
}

async function insert(trx: Transaction<Tables>, row: Insertable<JobRow>): Promise<Row> {
  const made = await trx.insertInto('jobs').values(row).returningAll().executeTakeFirstOrThrow()
  await trx
    .insertInto('job_status_history')
    .values({ job_id: made.id, old_status: null, new_status: made.status, changed_at: made.created_at })
    .execute()
  return made
}

function update(trx: Transaction<Tables>, row: Row, changes: Partial<Insertable<JobRow>>): Promise<Row> {
  return trx
    .updateTable('jobs')
    .set(changes)
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function indexWords(trx: Transaction<Tables>, words: Words, row: Row): Promise<void> {
  await trx
    .replaceInto('job_words')
    .values({
      rowid: row.id,
      title: words.index(row.title),
      company: words.index(row.company),
      location: words.index(`${row.location ?? ''} ${row.workplace ?? ''}`),
      description: words.index(row.description ?? ''),
    })
    .execute()
}
