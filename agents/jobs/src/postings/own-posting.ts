import type { Kysely, Selectable } from 'kysely'

import { ServiceError } from 'dragoman/errors'
import type { JobRow, Tables } from '../tables.ts'

/** The row of a user's posting. @throws ServiceError `not-found`, also for another user's */
export async function ownPosting(
  db: Kysely<Tables>,
  userId: string,
  id: number,
): Promise<Selectable<JobRow>> {
  const mine = db.selectFrom('jobs').selectAll().where('user_id', '=', userId)
  const row = await mine.where('id', '=', id).executeTakeFirst()
  if (!row) throw new ServiceError('not-found', 'Job not found')
  return row
}
