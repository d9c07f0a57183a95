import type { Kysely, Transaction, Updateable } from 'kysely'

import { ServiceError } from 'dragoman/errors'
import { urlHash } from '../pages/canonical-url.ts'
import { placesIn } from '../places/places-in.ts'
import { workplaceIn } from '../places/workplace.ts'
import { countUse } from '../resumes/count-use.ts'
import { statedSalary } from '../salary/read-salary.ts'
import type { JobRow, Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import type { Changes, NewTouch } from './change-body.ts'
import { salaryColumns, type Row } from './posting-columns.ts'
import { postingWords } from './posting-words.ts'
import { indexPosting } from './index-posting.ts'
import { ownPosting } from './own-posting.ts'
import { standing, type Standing, type Status } from './status.ts'
import { updateRow } from './update-row.ts'

type Columns = Updateable<JobRow>

const MAX_HISTORY = 1000
const MAX_TOUCHES = MAX_HISTORY
/** The notes of a posting's contacts together, in characters. */
const MAX_NOTES = 1_000_000

/** Changes a user's posting, all or nothing. @throws ServiceError `not-found`, `conflict`, `invalid-request` */
export async function change(
  db: Kysely<Tables>,
  userId: string,
  id: number,
  changes: Changes,
): Promise<void> {
  await userTransaction(db, userId, async (trx) => {
    // Within the turn, so that times are in the order of the changes.
    const now = new Date().toISOString()
    const row = await ownPosting(trx, userId, id)
    const stands = standing(
      { status: row.status, subStatus: row.sub_status },
      changes.status,
      changes.subStatus,
    )
    const columns = {
      ...textColumns(row, changes),
      ...placeColumns(row, changes),
      ...trackColumns(changes),
      ...standingColumns(row, changes, stands, now),
      ...(await sentColumns(trx, row, changes)),
      ...(changes.url && (await addressColumns(trx, row, changes.url))),
    }
    if (!(await updateRow(trx, row, columns, now))) return
    const { resume_id: sent } = columns
    if (typeof sent === 'number' && sent !== row.resume_id) await countUse(trx, userId, sent)
    if (stands.status !== row.status) await keepHistory(trx, id, [row.status, stands.status], now)
  })
  await indexPosting(db, id)
}

/** Stores a change of status. */
export async function keepHistory(
  trx: Transaction<Tables>,
  id: number,
  [old, next]: readonly [Status | null, Status],
  at: string,
): Promise<void> {
  const entry = { job_id: id, old_status: old, new_status: next, changed_at: at }
  const all = trx.selectFrom('job_status_history').where('job_id', '=', id)
  const { count } = await all.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  if (count >= MAX_HISTORY) throw tooMany('changes of its status')
  await trx.insertInto('job_status_history').values(entry).execute()
}

/** A posting is shown with all of them. @throws ServiceError `conflict` */
async function refuseManyTouches(
  trx: Transaction<Tables>,
  { job_id: id, note }: { readonly job_id: number; readonly note: string },
): Promise<void> {
  const { count, length } = await trx
    .selectFrom('job_touches')
    .where('job_id', '=', id)
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.sum<number | string | null>(fn('length', ['note'])).as('length'),
    ])
    .executeTakeFirstOrThrow()
  if (count >= MAX_TOUCHES) throw tooMany('contacts')
  if (Number(length) + note.length <= MAX_NOTES) return
  const most = MAX_NOTES.toLocaleString('en-US')
  throw new ServiceError('conflict', `The notes of a posting's contacts may have at most ${most} characters.`)
}

function tooMany(what: string): ServiceError {
  return new ServiceError(
    'conflict',
    `A posting may have at most ${MAX_HISTORY.toLocaleString('en-US')} ${what}.`,
  )
}

/** Stores a contact. @throws ServiceError `not-found`, `conflict` */
export async function touch(
  db: Kysely<Tables>,
  userId: string,
  id: number,
  { kind, at, note }: NewTouch,
): Promise<{ id: number; kind: string; at: string; note: string }> {
  return userTransaction(db, userId, async (trx) => {
    await ownPosting(trx, userId, id)
    const entry = { job_id: id, kind, at: at ?? new Date().toISOString(), note: note ?? '' }
    await refuseManyTouches(trx, entry)
    const insertion = trx.insertInto('job_touches').values(entry).returning(['id', 'kind', 'at', 'note'])
    return insertion.executeTakeFirstOrThrow()
  })
}

/** Removes a posting with all that belongs to it. @throws ServiceError `not-found` */
export async function remove(db: Kysely<Tables>, userId: string, id: number): Promise<void> {
  await userTransaction(db, userId, async (trx) => {
    await ownPosting(trx, userId, id)
    await postingWords.remove(trx, id)
    // Its history, touches, skills, analyses and tailored resumes go with it.
    await trx.deleteFrom('jobs').where('user_id', '=', userId).where('id', '=', id).execute()
  })
  await postingWords.purge(db)
}

function textColumns(
  row: Row,
  { title, company, employmentType, salary, description, notes }: Changes,
): Columns {
  return {
    ...(title !== undefined && { title }),
    ...(company !== undefined && { company }),
    ...(employmentType !== undefined && { employment_type: employmentType }),
    // Unchanged pay keeps its numbers.
    ...(salary !== undefined &&
      salary !== row.salary_text &&
      salaryColumns(salary === null ? null : statedSalary(salary))),
    ...(description !== undefined && { description }),
    ...(notes !== undefined && { notes }),
  }
}

/** The text of the places makes their list, and the reverse, unless both are given. */
function placeColumns(row: Row, { location, locations, workplace }: Changes): Columns {
  const places = locations ?? (location === row.location ? undefined : placesIn(location ?? ''))
  const line =
    location === undefined && locations !== undefined ? (locations ?? []).join('; ') || null : location
  return {
    ...((location !== undefined || locations !== undefined) && {
      location: line,
      ...(places && { locations: JSON.stringify(places) }),
      workplace: row.workplace ?? workplaceIn(line ?? ''),
    }),
    ...(workplace !== undefined && { workplace }),
  }
}

function trackColumns({ tags, contacts, followUpAt, starred }: Changes): Columns {
  return {
    ...(tags !== undefined && { tags: JSON.stringify(tags ?? []) }),
    ...(contacts !== undefined && { contacts: JSON.stringify(contacts ?? []) }),
    ...(followUpAt !== undefined && { follow_up_at: followUpAt }),
    ...(starred !== undefined && { starred: starred ? 1 : 0 }),
  }
}

function standingColumns(row: Row, { appliedAt }: Changes, next: Standing, now: string): Columns {
  const applies = next.status === 'applied' && row.status !== 'applied'
  const applied = appliedAt === undefined ? row.applied_at : appliedAt
  return {
    status: next.status,
    sub_status: next.subStatus,
    applied_at: applied ?? (applies ? now : null),
  }
}

/** The resume that was sent. @throws ServiceError `not-found`, `invalid-request` */
async function sentColumns(
  trx: Transaction<Tables>,
  row: Row,
  { resumeId, tailoredId }: Changes,
): Promise<Columns> {
  const tailored = typeof tailoredId === 'number' ? await ownTailored(trx, row, tailoredId) : undefined
  if (typeof resumeId === 'number') {
    const own = trx.selectFrom('resumes').select('id').where('user_id', '=', row.user_id)
    if (!(await own.where('id', '=', resumeId).executeTakeFirst())) {
      throw new ServiceError('not-found', 'Resume not found')
    }
    if (tailored && tailored.resume_id !== resumeId) {
      throw new ServiceError(
        'invalid-request',
        `tailoredId ${tailoredId} is not made of the resume ${resumeId}`,
      )
    }
  }
  const resume = resumeId === undefined ? tailored?.resume_id : resumeId
  return {
    ...(resume !== undefined && { resume_id: resume }),
    ...(tailoredId !== undefined && { tailored_id: tailoredId }),
  }
}

async function ownTailored(trx: Transaction<Tables>, row: Row, id: number): Promise<{ resume_id: number }> {
  const own = trx
    .selectFrom('tailored_resumes')
    .select(['job_id', 'resume_id'])
    .where('user_id', '=', row.user_id)
  const tailored = await own.where('id', '=', id).executeTakeFirst()
  if (!tailored) throw new ServiceError('not-found', 'Tailored resume not found')
  if (tailored.job_id === row.id) return tailored
  throw new ServiceError('invalid-request', `tailoredId ${id} is made for another posting`)
}

/** @throws ServiceError `conflict` if another posting has this address */
async function addressColumns(trx: Transaction<Tables>, row: Row, url: URL): Promise<Columns> {
  const hash = urlHash(url)
  const same = trx.selectFrom('jobs').select('id').where('user_id', '=', row.user_id)
  const other = await same.where('url_hash', '=', hash).where('id', '!=', row.id).executeTakeFirst()
  if (other) throw new ServiceError('conflict', `url is the address of the job ${other.id}`)
  return { url: url.href, url_hash: hash }
}
