import type { Hono } from 'hono'
import type { Kysely } from 'kysely'

import type { AppEnv } from 'dragoman/agents'
import type { Tables } from '../tables.ts'

export type Answered = { readonly status: number; readonly body: Record<string, unknown> }

/** Sends a request to the routes of the jobs as a user. For tests. */
export async function send(app: Hono<AppEnv>, line: string, body?: unknown, user = 'ada'): Promise<Answered> {
  const [method = 'GET', path = ''] = line.split(' ')
  const response = await app.request(`/jobs${path}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    headers: { 'x-user': user },
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

/** A resume of a user's, and a version of it for a posting. Gives their ids. For tests. */
export async function tailoredResume(
  db: Kysely<Tables>,
  jobId: number,
  user = 'ada',
): Promise<{ resumeId: number; tailoredId: number }> {
  const at = '2026-11-01T00:00:00.000Z'
  const resume = await db
    .insertInto('resumes')
    .values({
      user_id: user,
      name: 'General',
      content: '# Ada',
      language: 'en',
      source: 'paste',
      original_filename: null,
      parse_status: 'success',
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = { user_id: user, job_id: jobId, resume_id: resume.id, resume_version: 1 }
  const tailored = await db
    .insertInto('tailored_resumes')
    .values({ ...own, version: 1, content: '# Ada', origin: 'model', model: null, created_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { resumeId: resume.id, tailoredId: tailored.id }
}
