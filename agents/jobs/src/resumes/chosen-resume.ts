import type { Kysely, Selectable } from 'kysely'

import { ServiceError } from 'dragoman/errors'
import type { ResumeRow, Tables } from '../tables.ts'

/**
 * The resume that is named, else the user's default one. @throws ServiceError `not-found`, also for another user's;
 * `invalid-request` where none is named and none is default
 */
export async function chosenResume(
  db: Kysely<Tables>,
  userId: string,
  id: number | undefined,
): Promise<Selectable<ResumeRow>> {
  const own = db.selectFrom('resumes').selectAll().where('user_id', '=', userId)
  const row = await (
    id === undefined ? own.where('is_default', '=', 1) : own.where('id', '=', id)
  ).executeTakeFirst()
  if (row) return row
  if (id !== undefined) throw new ServiceError('not-found', 'Resume not found')
  throw new ServiceError(
    'invalid-request',
    'resumeId is required: there is no default resume. Put one in with POST /jobs/resumes.',
  )
}
