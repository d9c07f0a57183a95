import { setImmediate } from 'node:timers/promises'

import type { Kysely } from 'kysely'

import type { Tables } from '../tables.ts'
import { BYTE_ORDER_MARK, csvLine } from './csv.ts'
import { historyOf, touchesOf, type StatusChange, type Touch } from './details.ts'
import { postingOf, type Posting } from './posting.ts'
import { whole } from './rows.ts'

export const exportFormats = ['json', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** The postings in memory at once. */
const PAGE_SIZE = 100

type Exported = Posting & { readonly history: readonly StatusChange[]; readonly touches: readonly Touch[] }

/** A user's postings with all their fields, in pieces, the oldest first. */
export async function* exported(
  db: Kysely<Tables>,
  userId: string,
  format: ExportFormat,
): AsyncGenerator<string> {
  yield format === 'csv' ? BYTE_ORDER_MARK + csvLine(Object.keys(columns)) : '{"jobs":['
  let first = true
  for await (const page of pages(db, userId)) {
    if (format === 'csv')
      yield page.map((job) => csvLine(Object.values(columns).map((cell) => cell(job)))).join('')
    else yield (first ? '\n' : ',\n') + page.map((job) => JSON.stringify(job)).join(',\n')
    first = false
    await setImmediate()
  }
  if (format === 'json') yield '\n]}\n'
}

async function* pages(db: Kysely<Tables>, userId: string): AsyncGenerator<readonly Exported[]> {
  for (let last = 0; ;) {
    const rows = await db
      .selectFrom('jobs')
      .select(whole())
      .where('user_id', '=', userId)
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE_SIZE)
      .execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return
    const [history, touches] = [await historyOf(db, ids), await touchesOf(db, ids)]
    yield rows.map((row) =>
      Object.assign(postingOf(row), {
        history: history.get(row.id) ?? [],
        touches: touches.get(row.id) ?? [],
      }),
    )
    last = ids.at(-1) ?? last
  }
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
