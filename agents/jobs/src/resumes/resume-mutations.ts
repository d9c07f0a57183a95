import type { Insertable, Kysely, Selectable, Transaction, Updateable } from 'kysely'

import { ServiceError } from 'dragoman/errors'
import type { ResumeRow, Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import { chosenResume } from './chosen-resume.ts'
import type { Format, ReadResume } from './files/formats.ts'

type Row = Selectable<ResumeRow>

/** A resume that was read, and what its user says of it. */
export type Draft = {
  readonly read: ReadResume
  readonly name?: string | undefined
  readonly filename?: string | undefined
  readonly isDefault?: boolean | undefined
}

/** What is to change of one. */
export type Change = Omit<Draft, 'read'> & {
  readonly read?: ReadResume | undefined
  readonly version?: number | undefined
}

/** Puts a resume in, as the default one where it is the first or is to be. */
export async function insertResume(db: Kysely<Tables>, userId: string, draft: Draft): Promise<Row> {
  const { read, name, filename, isDefault = false } = draft
  return userTransaction(db, userId, async (trx) => {
    const now = new Date().toISOString()
    const row = await trx
      .insertInto('resumes')
      .values({
        user_id: userId,
        name: name ?? usualName(read, filename),
        ...columnsOf(read),
        source: sourceOf(read),
        original_filename: filename ?? null,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await keepVersion(trx, row, now)
    const others = trx
      .selectFrom('resumes')
      .select('id')
      .where('user_id', '=', userId)
      .where('is_default', '=', 1)
    const isFirst = (await others.executeTakeFirst()) === undefined
    if (!isDefault && !isFirst) return row
    await setDefault(trx, userId, row.id)
    return { ...row, is_default: 1 }
  })
}

/** Changes what is given; another text makes a new version. @throws ServiceError */
export async function changeResume(
  db: Kysely<Tables>,
  userId: string,
  id: number,
  { read, name, filename, isDefault, version }: Change,
): Promise<Row> {
  return userTransaction(db, userId, async (trx) => {
    const now = new Date().toISOString()
    const row = await chosenResume(trx, userId, id)
    if (version !== undefined && version !== row.version) {
      throw new ServiceError('conflict', `The resume has changed meanwhile: it is at version ${row.version}`)
    }
    if (isDefault === false && row.is_default === 1) {
      throw new ServiceError(
        'invalid-request',
        'isDefault cannot be false: make another resume the default instead',
      )
    }
    const isNew = read !== undefined && read.markdown !== row.content
    const changed: Updateable<ResumeRow> = {
      ...(name !== undefined && { name }),
      ...(read && columnsOf(read)),
      ...(read &&
        read.format !== 'markdown' && { source: sourceOf(read), original_filename: filename ?? null }),
      ...(isNew && { version: row.version + 1 }),
    }
    if (isDefault) await setDefault(trx, userId, id)
    if (Object.keys(changed).length > 0) {
      await trx
        .updateTable('resumes')
        .set({ ...changed, updated_at: now })
        .where('id', '=', id)
        .execute()
    }
    const after = await chosenResume(trx, userId, id)
    if (isNew) await keepVersion(trx, after, now)
    return after
  })
}

/** Removes a resume, and chooses another default where it was that. @throws ServiceError `not-found` */
export async function removeResume(db: Kysely<Tables>, userId: string, id: number): Promise<void> {
  await userTransaction(db, userId, async (trx) => {
    const row = await chosenResume(trx, userId, id)
    // What was made of it goes with it: its rows name it.
    await trx.deleteFrom('resumes').where('user_id', '=', userId).where('id', '=', id).execute()
    if (row.is_default === 0) return
    const others = trx.selectFrom('resumes').select('id').where('user_id', '=', userId)
    const newest = await others.orderBy('id', 'desc').limit(1).executeTakeFirst()
    if (newest) await setDefault(trx, userId, newest.id)
  })
}

/** Makes a resume the default one. @throws ServiceError `not-found` */
export async function makeDefault(db: Kysely<Tables>, userId: string, id: number): Promise<void> {
  await userTransaction(db, userId, async (trx) => {
    await chosenResume(trx, userId, id)
    await setDefault(trx, userId, id)
  })
}

/** There is never a second one: the old one is let go first. */
async function setDefault(trx: Transaction<Tables>, userId: string, id: number): Promise<void> {
  const own = trx.updateTable('resumes').where('user_id', '=', userId)
  await own.set({ is_default: 0 }).where('is_default', '=', 1).execute()
  await own.set({ is_default: 1 }).where('id', '=', id).execute()
}

async function keepVersion(trx: Transaction<Tables>, row: Row, now: string): Promise<void> {
  const { id, version, name, content } = row
  await trx
    .insertInto('resume_versions')
    .values({ resume_id: id, version, name, content, created_at: now })
    .execute()
}

function columnsOf({ markdown, language, errors, data }: ReadResume): Pick<
  Insertable<ResumeRow>,
  'content' | 'language' | 'parse_status'
> & {
  readonly parse_errors: string
  readonly data: string
} {
  return {
    content: markdown,
    language,
    parse_status: errors.length > 0 ? 'partial' : 'success',
    parse_errors: JSON.stringify(errors),
    data,
  }
}

const sources: Readonly<Record<Format, ResumeRow['source']>> = {
  markdown: 'paste',
  text: 'paste',
  json: 'json_resume',
  pdf: 'pdf_upload',
  docx: 'docx_upload',
}

function sourceOf({ format, isLinkedIn }: ReadResume): ResumeRow['source'] {
  return isLinkedIn ? 'linkedin' : sources[format]
}

/** The file's name tells a resume from the user's others, which all have the same name in them. */
function usualName({ name, language }: ReadResume, filename: string | undefined): string {
  const bare = filename?.replace(/\.[\p{L}\p{N}]{1,8}$/u, '').trim()
  return bare || name?.slice(0, 200) || (language === 'zh' ? '简历' : 'Resume')
}
