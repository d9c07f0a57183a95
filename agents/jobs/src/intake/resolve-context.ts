import type { Kysely } from 'kysely'

import type { Database } from 'dragoman/database'
import { ServiceError } from 'dragoman/errors'
import { isJsonObject, type Json } from 'dragoman/events'
import { readContext, type JobsContext } from '../context.ts'
import { canonicalPostingAddress } from '../pages/canonical-posting-address.ts'
import { webUrl } from '../pages/canonical-url.ts'
import { siteOf } from '../pages/sites/sites.ts'
import type { Postings } from '../postings/postings.ts'
import { sources, type Source, type Tables } from '../tables.ts'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { isSimilarTitle } from './is-similar-title.ts'

const URL_FIELD = 'context.detectedJob.url'
const MAX_URL_LENGTH = 8000
const MAX_NAME_LENGTH = 500

/** Other names that clients use for boards. */
const ALIASES: ReadonlyMap<string, Source> = new Map([
  ['boss', 'zhipin'],
  ['boss直聘', 'zhipin'],
  ['拉勾', 'lagou'],
  ['猎聘', 'liepin'],
  ['前程无忧', '51job'],
  ['angellist', 'wellfound'],
])

/**
 * Stores the posting on the user's screen, or finds it by its URL, and adds its id to the context as `jobId`. Ids of
 * other users are refused like unknown ids.
 */
export function contextResolver(
  database: Database,
  postings: Postings,
): (context: Json, userId: string) => Promise<Json> {
  const db = database.withTables<Tables>()

  return async (context, userId) => {
    const fields = readContext(context)
    const { jobId, resumeId, detectedJob } = fields
    if (jobId && !(await owns(db, 'jobs', userId, jobId))) throw unknown('jobId', 'job', jobId)
    if (resumeId && !(await owns(db, 'resumes', userId, resumeId)))
      throw unknown('resumeId', 'resume', resumeId)
    const posting = detectedJob && postingIn(detectedJob)
    if (!posting || jobId || !isJsonObject(context)) return context
    const { job, created } = await postings.create(userId, posting)
    // A list has one URL for all of its postings.
    const isSure =
      created ||
      canonicalPostingAddress(posting.url) !== undefined ||
      isSimilarTitle(job.title, posting.title)
    if (!isSure) return context
    return { ...context, jobId: job.id }
  }
}

async function owns(
  db: Kysely<Tables>,
  table: 'jobs' | 'resumes',
  userId: string,
  id: number,
): Promise<boolean> {
  const mine = db.selectFrom(table).select('id').where('user_id', '=', userId)
  return (await mine.where('id', '=', id).executeTakeFirst()) !== undefined
}

function unknown(field: string, name: string, id: number): ServiceError {
  return new ServiceError('invalid-request', `context.${field}: there is no ${name} ${id}.`)
}

/** The posting to store, if it has a title. @throws ServiceError `invalid-request` for a wrong URL */
function postingIn({ title, company, url: address, source }: NonNullable<JobsContext['detectedJob']>) {
  const url = webUrl(URL_FIELD, address)
  if (address.length > MAX_URL_LENGTH) {
    throw new ServiceError(
      'invalid-request',
      `${URL_FIELD} may have at most ${MAX_URL_LENGTH.toLocaleString('en-US')} characters`,
    )
  }
  const name = toSingleLine(title, MAX_NAME_LENGTH - 1)
  if (name === '') return undefined
  return {
    title: name,
    company: toSingleLine(company, MAX_NAME_LENGTH - 1) || url.hostname.replace(/^www\./, ''),
    url,
    source: sourceIn(source ?? '') ?? siteOf(url)?.source ?? 'web',
  }
}

function sourceIn(site: string): Source | undefined {
  const name = site.trim().toLowerCase()
  return sources.find((source) => source === name) ?? ALIASES.get(name)
}
