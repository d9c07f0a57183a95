import type { Kysely } from 'kysely'

import { keyset, type Database } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import type { Tables } from '../tables.ts'
import { rowsThatFit, textLength, textsOf } from '../list-texts.ts'
import { chosenResume } from './chosen-resume.ts'
import { readResumeInWorker } from './files/read-resume-in-worker.ts'
import type { ResumeText } from './files/formats.ts'
import type { JsonResume } from './json-resume.ts'
import { resumeOf, SUMMARY_COLUMNS, type Resume, type ResumeVersion } from './resume.ts'
import { changeResume, insertResume, makeDefault, removeResume } from './resume-mutations.ts'

/** A resume that is handed in. */
export type NewResume = {
  readonly text: ResumeText
  readonly name?: string | undefined
  readonly filename?: string | undefined
  readonly isDefault?: boolean | undefined
}

/** What is to change of one. `version` is the one that its author saw: another one is not written over. */
export type ResumeChange = Omit<NewResume, 'text'> & {
  readonly text?: ResumeText | undefined
  readonly version?: number | undefined
}

/** A page of a list: the next one begins behind `nextCursor`. */
export type ListPage = { readonly limit: number; readonly cursor?: string | undefined }

/**
 * The resumes of each user, of which one is the default. To others they do not exist: each of these fails with
 * `not-found` for them.
 */
export interface Resumes {
  /** @throws ServiceError `invalid-request` for what cannot be read; then nothing is kept */
  create(userId: string, resume: NewResume): Promise<Resume>
  get(userId: string, id: number): Promise<Resume>
  /** @throws ServiceError `invalid-request` if there is none */
  getDefault(userId: string): Promise<Resume>
  /** Its data as JSON Resume. */
  data(userId: string, id: number): Promise<JsonResume>
  /** The last changed first. A page ends early where its texts are large. */
  list(userId: string, page: ListPage): Promise<{ resumes: Resume[]; nextCursor?: string }>
  /**
   * Another text makes a new version. @throws ServiceError `conflict` where it is no longer at the version that is
   * named
   */
  update(userId: string, id: number, change: ResumeChange): Promise<Resume>
  /** With all its versions, and with what was made of it. The newest other one becomes the default. */
  remove(userId: string, id: number): Promise<void>
  setDefault(userId: string, id: number): Promise<Resume>
  /** The newest first, without their texts. */
  versions(
    userId: string,
    id: number,
    page: ListPage,
  ): Promise<{ versions: ResumeVersion[]; nextCursor?: string }>
  version(userId: string, id: number, version: number): Promise<ResumeVersion & { content: string }>
  /** Makes an old text the new one, in a version of its own. */
  restore(userId: string, id: number, version: number): Promise<Resume>
}

/** Keeps resumes in the database. */
export function resumes(database: Database): Resumes {
  const db = database.withTables<Tables>()
  const own = async (userId: string, id: number): Promise<Resume> =>
    resumeOf(await chosenResume(db, userId, id))
  const update: Resumes['update'] = async (userId, id, { text, ...rest }) => {
    // Whose it is comes before what it says.
    await own(userId, id)
    const read = text && (await readResumeInWorker(userId, text))
    return resumeOf(await changeResume(db, userId, id, { read, ...rest }))
  }
  const version: Resumes['version'] = async (userId, id, number) => {
    await own(userId, id)
    const row = await versionsOf(db, id).select('content').where('version', '=', number).executeTakeFirst()
    if (!row) throw new ServiceError('not-found', 'Version not found')
    return { version: row.version, name: row.name, createdAt: row.created_at, content: row.content }
  }

  return {
    async create(userId, { text, ...rest }) {
      const read = await readResumeInWorker(userId, text)
      return resumeOf(await insertResume(db, userId, { read, ...rest }))
    },
    get: own,
    getDefault: async (userId) => resumeOf(await chosenResume(db, userId, undefined)),
    data: async (userId, id) => JSON.parse((await chosenResume(db, userId, id)).data) as JsonResume,
    list: (userId, page) => list(db, userId, page),
    update,
    remove: (userId, id) => removeResume(db, userId, id),
    setDefault: async (userId, id) => {
      await makeDefault(db, userId, id)
      return own(userId, id)
    },
    async versions(userId, id, page) {
      await own(userId, id)
      return versions(db, id, page)
    },
    version,
    async restore(userId, id, number) {
      const { content } = await version(userId, id, number)
      if (content === '')
        throw new ServiceError('invalid-request', `Version ${number} has no text to restore`)
      return update(userId, id, { text: { format: 'markdown', content } })
    },
  }
}

const pages = keyset('resumes', ['', 0], (row: { updated_at: string; id: number }) => [
  row.updated_at,
  row.id,
])
const versionPages = keyset('versions', [0], (row: { version: number }) => [row.version])

async function list(
  db: Kysely<Tables>,
  userId: string,
  { limit, cursor }: ListPage,
): Promise<{ resumes: Resume[]; nextCursor?: string }> {
  const all = db
    .selectFrom('resumes')
    .select(SUMMARY_COLUMNS)
    .select(textLength('content'))
    .where('user_id', '=', userId)
  const after = pages.after(cursor)
  const from = after
    ? all.where(({ eb, refTuple, tuple }) => eb(refTuple('updated_at', 'id'), '<', tuple(...after)))
    : all
  const rows = await from
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { rows: shown, ...next } = pages.page(rows, rowsThatFit(rows, limit))
  const texts = await textsOf(db, 'resumes', shown)
  return { resumes: shown.map((row) => resumeOf({ ...row, content: texts.get(row.id) ?? '' })), ...next }
}

function versionsOf(db: Kysely<Tables>, id: number) {
  return db
    .selectFrom('resume_versions')
    .select(['version', 'name', 'created_at'])
    .where('resume_id', '=', id)
}

async function versions(
  db: Kysely<Tables>,
  id: number,
  { limit, cursor }: ListPage,
): Promise<{ versions: ResumeVersion[]; nextCursor?: string }> {
  const [after] = versionPages.after(cursor) ?? []
  const all = versionsOf(db, id)
  const from = after === undefined ? all : all.where('version', '<', after)
  const rows = await from
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute()
  const { rows: shown, ...next } = versionPages.page(rows, limit)
  return {
    versions: shown.map(({ version, name, created_at: createdAt }) => ({ version, name, createdAt })),
    ...next,
  }
}
