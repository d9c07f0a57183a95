import type { Insertable, Kysely, Selectable, Transaction } from 'kysely'

import { keyset } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import { countUse } from '../resumes/count-use.ts'
import type { Tables, TailoredRow } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import { rowsThatFit, textLength, textsOf } from '../list-texts.ts'
import { readPdf, storePdf, type NewPdf, type StoredPdf } from './stored-pdfs.ts'
import { listedOf, versionOf, type ListedVersion, type ListRow, type Version } from './version.ts'

export type Row = Selectable<TailoredRow>
/** A version to keep; its number is given by those that are there. */
export type NewRow = Omit<Insertable<TailoredRow>, 'id' | 'version' | 'is_latest' | 'created_at'>
export type AddedVersion = { readonly version: Version; readonly isNew: boolean }
export type VersionFilter = {
  readonly jobId?: number | undefined
  readonly resumeId?: number | undefined
  readonly version?: number | undefined
}
export type VersionPage = { readonly versions: readonly ListedVersion[]; readonly nextCursor?: string }

/**
 * The tailored versions of each user's resumes. One of each job and resume is the latest. Nobody sees those of
 * another.
 */
export interface Versions {
  /** The version that is named by its id. @throws ServiceError `not-found` */
  get(userId: string, id: number): Promise<Version>
  /** The version of a number, else the latest; of any resume unless one is named, then the newest. */
  find(userId: string, which: VersionFilter): Promise<Version | undefined>
  byCall(userId: string, callKey: string): Promise<Version | undefined>
  /**
   * The newest first. A page ends early where its texts are large. @throws ServiceError `invalid-request` for a cursor
   * of another list
   */
  list(
    userId: string,
    which: VersionFilter,
    page: { limit: number; cursor?: string | undefined },
  ): Promise<VersionPage>
  /**
   * Keeps a version as the latest. Without `replaces`, one that is there already stays, and is given instead. @throws
   * ServiceError `not-found` if its job or resume has gone meanwhile
   */
  add(row: NewRow, replaces: boolean): Promise<AddedVersion>
  /** The one before it becomes the latest, where it was. @throws ServiceError `not-found` */
  remove(userId: string, id: number): Promise<void>
  /**
   * Keeps the PDF that a client has made of a version; one of the same name is replaced. @throws ServiceError
   * `invalid-request` for what is none
   */
  keepPdf(userId: string, id: number, pdf: NewPdf): Promise<StoredPdf>
  /** @throws ServiceError `not-found` */
  readPdf(id: number, filename: string): Promise<Uint8Array>
}

const pages = keyset('tailored', [0], (row: ListRow) => [row.id])

export function versions(db: Kysely<Tables>): Versions {
  return {
    async get(userId, id) {
      return versionOf(await own(db, userId, id))
    },

    async find(userId, { jobId, resumeId, version }) {
      const row = await chosen(db, userId, { jobId, resumeId })
        .selectAll()
        .where((eb) => (version === undefined ? eb('is_latest', '=', 1) : eb('version', '=', version)))
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && versionOf(row)
    },

    async byCall(userId, callKey) {
      const row = await called(db, userId, callKey)
      return row && versionOf(row)
    },

    async list(userId, which, { limit, cursor }) {
      const [after] = pages.after(cursor) ?? []
      const rows: readonly ListRow[] = await chosen(db, userId, which)
        .select(['id', 'user_id', 'job_id', 'resume_id', 'resume_version', 'version', 'origin', 'model'])
        .select(['is_latest', 'created_at', 'call_key', 'change', 'truth', 'suggestions'])
        .select(textLength('content'))
        .$if(after !== undefined, (all) => all.where('id', '<', after ?? 0))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      const { rows: shown, ...next } = pages.page(rows, rowsThatFit(rows, limit))
      const texts = await textsOf(db, 'tailored_resumes', shown)
      return { versions: shown.map((row) => listedOf(row, texts.get(row.id) ?? '')), ...next }
    },

    add: (row, replaces) => userTransaction(db, row.user_id, (trx) => added(trx, row, replaces)),

    remove: (userId, id) => userTransaction(db, userId, (trx) => removed(trx, userId, id)),

    keepPdf: (userId, id, pdf) => storePdf(db, { id, userId }, pdf),

    readPdf: (id, filename) => readPdf(db, id, filename),
  }
}

function chosen(db: Kysely<Tables>, userId: string, { jobId, resumeId }: VersionFilter) {
  return db
    .selectFrom('tailored_resumes')
    .where('user_id', '=', userId)
    .$if(jobId !== undefined, (all) => all.where('job_id', '=', jobId ?? 0))
    .$if(resumeId !== undefined, (all) => all.where('resume_id', '=', resumeId ?? 0))
}

async function own(db: Kysely<Tables>, userId: string, id: number): Promise<Row> {
  const row = await chosen(db, userId, {}).selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw new ServiceError('not-found', 'Tailored version not found')
  return row
}

function called(db: Kysely<Tables>, userId: string, callKey: string): Promise<Row | undefined> {
  return chosen(db, userId, {}).selectAll().where('call_key', '=', callKey).executeTakeFirst()
}

async function added(trx: Transaction<Tables>, row: NewRow, replaces: boolean): Promise<AddedVersion> {
  const { user_id: userId, job_id: jobId, resume_id: resumeId, call_key: callKey = null } = row
  const before = callKey === null ? undefined : await called(trx, userId, callKey)
  if (before) return { version: versionOf(before), isNew: true }
  await stillThere(trx, row)
  const both = chosen(trx, userId, { jobId, resumeId })
  const latest = await both.selectAll().where('is_latest', '=', 1).executeTakeFirst()
  if (latest && !replaces) return { version: versionOf(latest), isNew: false }
  const { last } = await both.select(({ fn }) => fn.max('version').as('last')).executeTakeFirstOrThrow()
  if (latest) await setLatest(trx, latest.id, 0)
  const made = await trx
    .insertInto('tailored_resumes')
    .values({ ...row, version: (last ?? 0) + 1, is_latest: 1, created_at: new Date().toISOString() })
    .returningAll()
    .executeTakeFirstOrThrow()
  // An edit goes on with what was counted when it was made.
  if (row.origin === 'model') await countUse(trx, userId, resumeId)
  return { version: versionOf(made), isNew: true }
}

async function stillThere(trx: Transaction<Tables>, row: NewRow): Promise<void> {
  const mine = await trx
    .selectFrom('jobs')
    .innerJoin('resumes', 'resumes.user_id', 'jobs.user_id')
    .select('jobs.id')
    .where('jobs.user_id', '=', row.user_id)
    .where('jobs.id', '=', row.job_id)
    .where('resumes.id', '=', row.resume_id)
    .executeTakeFirst()
  if (!mine) throw new ServiceError('not-found', 'The job or the resume was deleted meanwhile')
}

async function removed(trx: Transaction<Tables>, userId: string, id: number): Promise<void> {
  const row = await own(trx, userId, id)
  await trx.deleteFrom('tailored_resumes').where('id', '=', id).execute()
  if (row.is_latest === 0) return
  const next = await chosen(trx, userId, { jobId: row.job_id, resumeId: row.resume_id })
    .select('id')
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (next) await setLatest(trx, next.id, 1)
}

async function setLatest(trx: Transaction<Tables>, id: number, isLatest: 0 | 1): Promise<void> {
  await trx.updateTable('tailored_resumes').set({ is_latest: isLatest }).where('id', '=', id).execute()
}
