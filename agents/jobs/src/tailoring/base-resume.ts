import type { Kysely, Selectable } from 'kysely'

import { ServiceError } from 'dragoman/errors'
import type { JobRow, Tables } from '../tables.ts'

export type TailoringJob = Pick<Selectable<JobRow>, 'id' | 'title' | 'company' | 'description'>

/** All of a posting that names what is asked for. */
export function postingText({ title, description }: TailoringJob): string {
  return `${title}\n${description ?? ''}`
}

/** A resume as it was at one of its versions; as it is, where that one is not kept. @throws ServiceError `not-found` */
export async function baseText(
  db: Kysely<Tables>,
  userId: string,
  { resumeId, resumeVersion }: { readonly resumeId: number; readonly resumeVersion: number },
): Promise<string> {
  const now = await db
    .selectFrom('resumes')
    .select(['content', 'version'])
    .where('user_id', '=', userId)
    .where('id', '=', resumeId)
    .executeTakeFirst()
  if (!now) throw new ServiceError('not-found', 'Resume not found')
  if (now.version === resumeVersion) return now.content
  const then = await db
    .selectFrom('resume_versions')
    .select('content')
    .where('resume_id', '=', resumeId)
    .where('version', '=', resumeVersion)
    .executeTakeFirst()
  return (then ?? now).content
}
