import { sql, type Kysely } from 'kysely'

import type { AnswerPage } from 'dragoman/http'
import type { Tables } from '../tables.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { historyOf, touchesOf, type StatusChange, type Touch } from './details.ts'
import { postingOf, type Posting } from './posting.ts'
import { whole } from './rows.ts'

export const exportFormats = ['json', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The postings in memory at once: so many, and no more than one beyond so many characters. */
const PAGE = { postings: 100, length: 1_000_000 } as const
/** About what is read of a posting besides its texts, in bytes. */
const FIELDS_BYTES = 2000

/** The length of what else may be long: with the changes of a posting's status, and its contacts. */
const restLength = sql<number | string>`coalesce(length(notes), 0) + length(contacts)
  + (SELECT count(*) * 100 FROM job_status_history WHERE job_id = jobs.id)
  + (SELECT coalesce(sum(100 + length(note)), 0) FROM job_touches WHERE job_id = jobs.id)`

type Exported = Posting & { readonly history: readonly StatusChange[]; readonly touches: readonly Touch[] }

/** A user's postings with all their fields, the oldest first, in pages that are read as they are sent. */
export async function* exported(
  db: Kysely<Tables>,
  userId: string,
  format: ExportFormat,
): AsyncGenerator<AnswerPage> {
  const { head, between, tail, format: toText } = texts[format]
  let before = head
  for await (const { bytes, ids } of pagesOf(db, userId)) {
    const start = before
    before = between
    yield { bytes, make: async () => start + toText(await read(db, ids)) }
  }
  const end = before === head ? head + tail : tail
  if (end !== '') yield { bytes: end.length, make: async () => end }
}

async function* pagesOf(
  db: Kysely<Tables>,
  userId: string,
): AsyncGenerator<{ readonly ids: readonly number[]; readonly bytes: number }> {
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('jobs')
      .select((eb) => ['id', eb.fn<number | null>('length', ['description']).as('length')] as const)
      .select(restLength.as('rest'))
      .where('user_id', '=', userId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE.postings)
      .execute()
    if (rows.length === 0) return
    const ids: number[] = []
    let length = 0
    for (const row of rows) {
      if (length > PAGE.length) break
      ids.push(row.id)
      length += (row.length ?? 0) + Number(row.rest)
    }
    yield { ids, bytes: 2 * length + ids.length * FIELDS_BYTES }
    last = ids.at(-1) ?? last
  }
}

async function read(db: Kysely<Tables>, ids: readonly number[]): Promise<readonly Exported[]> {
  const rows = await db.selectFrom('jobs').select(whole()).where('id', 'in', ids).orderBy('id').execute()
  const [history, touches] = [await historyOf(db, ids), await touchesOf(db, ids)]
  return rows.map((row) =>
    Object.assign(postingOf(row), {
      history: history.get(row.id) ?? [],
      touches: touches.get(row.id) ?? [],
    }),
  )
}

/** The columns of CSV, in their order. */
const columns: Readonly<Record<string, (job: Exported) => string | number | boolean | undefined>> = {
  id: (job) => job.id,
  title: (job) => job.title,
  company: (job) => job.company,
  location: (job) => job.location,
  workplace: (job) => job.workplace,
  employmentType: (job) => job.employmentType,
  salary: (job) => job.salary?.text,
  salaryCurrency: (job) => job.salary?.currency,
  salaryAnnualMin: (job) => job.salary?.annualMin,
  salaryAnnualMax: (job) => job.salary?.annualMax,
  status: (job) => job.status,
  subStatus: (job) => job.subStatus,
  starred: (job) => job.starred,
  matchScore: (job) => job.matchScore,
  tags: (job) => job.tags.join('; '),
  url: (job) => job.url,
  source: (job) => job.source,
  contacts: (job) => (job.contacts ?? []).map((contact) => Object.values(contact).join(', ')).join('; '),
  notes: (job) => job.notes,
  followUpAt: (job) => job.followUpAt,
  appliedAt: (job) => job.appliedAt,
  resumeId: (job) => job.resumeId,
  tailoredId: (job) => job.tailoredId,
  repostOf: (job) => job.repostOf,
  postedAt: (job) => job.postedAt,
  validThrough: (job) => job.validThrough,
  closedAt: (job) => job.closedAt,
  firstSeenAt: (job) => job.firstSeenAt,
  lastSeenAt: (job) => job.lastSeenAt,
  createdAt: (job) => job.createdAt,
  updatedAt: (job) => job.updatedAt,
  history: (job) => job.history.map(({ to, at }) => `${at} ${to}`).join('; '),
  touches: (job) => job.touches.map(({ kind, at, note }) => `${at} ${kind} ${note}`.trim()).join('; '),
  description: (job) => job.jdMarkdown,
}

/** How pages are written: what stands before the first, between two, and after the last. */
const texts = {
  json: {
    head: '{"jobs":[\n',
    between: ',\n',
    tail: '\n]}\n',
    format: (page: readonly Exported[]) => page.map((job) => JSON.stringify(job)).join(',\n'),
  },
  csv: {
    head: BYTE_ORDER_MARK + csvLine(Object.keys(columns)),
    between: '',
    tail: '',
    format: (page: readonly Exported[]) =>
      page.map((job) => csvLine(Object.values(columns).map((cell) => cell(job)))).join(''),
  },
} as const
