import type { Kysely, Transaction } from 'kysely'

import type { Database } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import { urlHash } from '../pages/canonical-url.ts'
import type { NamedFacts, PagePosting } from '../pages/posting-page.ts'
import { readPage } from '../pages/read-page.ts'
import type { Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import { openWords } from '../words/search-words.ts'
import type { Changes, NewTouch } from './change-body.ts'
import { change, keepHistory, remove, touch } from './change.ts'
import { historyOf, newestAnalysis, touchesOf, type Details, type Touch } from './details.ts'
import {
  columnsOfNewPosting,
  columnsOfPage,
  enriched,
  type PostingColumns,
  type NewPosting,
  type Row,
} from './posting-columns.ts'
import type { AnswerPage } from 'dragoman/http'
import { exported, type ExportFormat } from './export.ts'
import { indexPosting } from './index-posting.ts'
import { list, type Listed, type Listing } from './list.ts'
import { postingOf, type Posting } from './posting.ts'
import { whole } from './rows.ts'
import { search, type Found, type Search } from './search.ts'
import { statuses, type Status } from './status.ts'
import { updateRow } from './update-row.ts'

/** A posting's page as the user saw it. */
export type SeenPage = {
  readonly url: URL
  readonly content: string
  readonly seenAt?: Date | undefined
  readonly named?: NamedFacts | undefined
}

const MAX_POSTINGS = 20_000

export type Saved = { readonly job: Posting; readonly created: boolean }
export type Counts = Readonly<Record<Status, number>>

/** Each user's postings. Another user's posting does not exist for a user. */
export interface Postings {
  /**
   * Stores a posting. One with a known address stays as it is, but for `lastSeenAt`.
   * @throws ServiceError `conflict` if the user has 20,000 already
   */
  create(userId: string, posting: NewPosting): Promise<Saved>
  /** Stores the posting on a page, or fills its missing fields. @throws ServiceError `invalid-request` without one */
  ingest(userId: string, page: SeenPage): Promise<Saved>
  /** Stores a posting that was read elsewhere, or fills its missing fields. */
  keep(userId: string, posting: PagePosting & { readonly url: URL }, seenAt: Date): Promise<Saved>
  /** @throws ServiceError `not-found` */
  get(userId: string, id: number): Promise<Posting>
  /** With its history, contacts and newest analysis, of one resume or of any. @throws ServiceError `not-found` */
  details(userId: string, id: number, resumeId?: number): Promise<Details>
  /**
   * Absent fields stay, null clears; all or nothing.
   * @throws ServiceError `not-found`, `conflict`, `invalid-request`
   */
  change(userId: string, id: number, changes: Changes): Promise<Posting>
  /** Stores a contact. @throws ServiceError `not-found` */
  touch(userId: string, id: number, touch: NewTouch): Promise<Touch>
  /** Removes it with all that belongs to it. @throws ServiceError `not-found` */
  remove(userId: string, id: number): Promise<void>
  /** The newest first by default. @throws ServiceError `invalid-request` for an unknown cursor */
  list(userId: string, listing: Listing): Promise<Listed>
  /** The best matches first, with descriptions. */
  search(userId: string, query: Search): Promise<Found>
  /** The number of postings in each status. */
  counts(userId: string): Promise<Counts>
  /** All postings, in pieces. */
  export(userId: string, format: ExportFormat): AsyncGenerator<AnswerPage>
}

export function postings(database: Database): Postings {
  const db = database.withTables<Tables>()
  return {
    create: (userId, posting) =>
      save(db, userId, {
        url: posting.url,
        draft: columnsOfNewPosting(posting),
        seenAt: new Date(),
        merge: () => ({}),
      }),

    ingest: async (userId, { url, content, seenAt = new Date(), named }) =>
      keep(db, userId, { ...(await readPage(userId, content, url, { seenAt, named })), url }, seenAt),

    keep: (userId, posting, seenAt) => keep(db, userId, posting, seenAt),

    get: (userId, id) => get(db, userId, id),

    async details(userId, id, resumeId) {
      const job = await get(db, userId, id)
      const [history, touches] = [await historyOf(db, [id]), await touchesOf(db, [id])]
      const analysis = await newestAnalysis(db, userId, id, resumeId)
      return { job, analysis, history: history.get(id) ?? [], touches: touches.get(id) ?? [] }
    },

    async change(userId, id, changes) {
      await change(db, userId, id, changes)
      return get(db, userId, id)
    },

    touch: (userId, id, entry) => touch(db, userId, id, entry),

    remove: (userId, id) => remove(db, userId, id),

    list: async (userId, listing) => list(db, await openWords(), userId, listing),

    search: async (userId, query) => search(db, await openWords(), userId, query),

    counts: (userId) => counts(db, userId),

    export: (userId, format) => exported(db, userId, format),
  }
}

async function get(db: Kysely<Tables>, userId: string, id: number): Promise<Posting> {
  const mine = db.selectFrom('jobs').select(whole()).where('user_id', '=', userId)
  const row = await mine.where('id', '=', id).executeTakeFirst()
  if (!row) throw new ServiceError('not-found', 'Job not found')
  return postingOf(row)
}

function keep(
  db: Kysely<Tables>,
  userId: string,
  posting: PagePosting & { readonly url: URL },
  seenAt: Date,
): Promise<Saved> {
  const merge = (row: Row): Partial<PostingColumns> => enriched(row, posting)
  return save(db, userId, { url: posting.url, draft: columnsOfPage(posting), seenAt, merge })
}

/** A posting to store. `merge` returns the changes of a stored row. */
type Sighting = {
  readonly url: URL
  readonly draft: PostingColumns
  readonly seenAt: Date
  readonly merge: (row: Row) => Partial<PostingColumns>
}

async function save(db: Kysely<Tables>, userId: string, sighting: Sighting): Promise<Saved> {
  const seenAt = sighting.seenAt.toISOString()
  const { id, created } = await userTransaction(db, userId, async (trx) => {
    const mine = trx.selectFrom('jobs').selectAll().where('user_id', '=', userId)
    const existing = await mine.where('url_hash', '=', urlHash(sighting.url)).executeTakeFirst()
    if (!existing) {
      await checkCount(trx, userId)
      return { id: await insert(trx, userId, sighting, seenAt), created: true }
    }
    await updateRow(trx, existing, sighting.merge(existing), new Date().toISOString())
    await trx
      .updateTable('jobs')
      .set({ last_seen_at: seenAt > existing.last_seen_at ? seenAt : existing.last_seen_at })
      .where('id', '=', existing.id)
      .execute()
    return { id: existing.id, created: false }
  })
  await indexPosting(db, id)
  return { job: await get(db, userId, id), created }
}

/** Work on all of a user's postings stays short. @throws ServiceError `conflict` */
async function checkCount(trx: Transaction<Tables>, userId: string): Promise<void> {
  const own = trx.selectFrom('jobs').where('user_id', '=', userId)
  const { count } = await own.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  if (count < MAX_POSTINGS) return
  throw new ServiceError(
    'conflict',
    `A user can have at most ${MAX_POSTINGS.toLocaleString('en-US')} postings: delete some of them first.`,
  )
}

async function insert(
  trx: Transaction<Tables>,
  userId: string,
  { url, draft }: Sighting,
  seenAt: string,
): Promise<number> {
  const now = new Date().toISOString()
  const { id } = await trx
    .insertInto('jobs')
    .values({
      ...draft,
      user_id: userId,
      url: url.href,
      url_hash: urlHash(url),
      status: 'inbox',
      first_seen_at: seenAt,
      last_seen_at: seenAt,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await keepHistory(trx, id, [null, 'inbox'], now)
  return id
}

async function counts(db: Kysely<Tables>, userId: string): Promise<Counts> {
  const rows = await db
    .selectFrom('jobs')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('user_id', '=', userId)
    .groupBy('status')
    .execute()
  const byStatus = new Map(rows.map(({ status, count }) => [status, count]))
  return Object.fromEntries(statuses.map((status) => [status, byStatus.get(status) ?? 0])) as Counts
}
