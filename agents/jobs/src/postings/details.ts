import { sql, type Kysely } from 'kysely'
import { z } from 'zod'

import { isJsonObject, type Json } from 'dragoman/events'
import type { Tables } from '../tables.ts'
import { postingShape } from './posting.ts'
import { statuses } from './status.ts'

export const touchShape = z
  .object({ id: z.int(), kind: z.string(), at: z.string(), note: z.string() })
  .readonly()
  .meta({ id: 'Touch' })

export const historyShape = z
  .object({ from: z.enum(statuses).nullable(), to: z.enum(statuses), at: z.string() })
  .readonly()
  .meta({ id: 'StatusChange' })

/** A posting with its analysis, history and contacts. */
export const detailsShape = z.object({
  job: postingShape,
  analysis: z
    .looseObject({ id: z.int(), jobId: z.int(), resumeId: z.int(), createdAt: z.string() })
    .nullable()
    .describe('The newest one.'),
  history: z.array(historyShape).readonly().describe('The changes of its status, the oldest first.'),
  touches: z.array(touchShape).readonly().describe('The contacts, the newest first.'),
})
export type Details = z.infer<typeof detailsShape>
export type Touch = z.infer<typeof touchShape>
export type StatusChange = z.infer<typeof historyShape>

/** The changes of status of postings, the oldest first. */
export async function historyOf(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly StatusChange[]>> {
  const rows = await db
    .selectFrom('job_status_history')
    .select(['job_id', 'old_status', 'new_status', 'changed_at'])
    .where('job_id', 'in', ids)
    .orderBy('id')
    .execute()
  return byPosting(rows, (row) => ({ from: row.old_status, to: row.new_status, at: row.changed_at }))
}

/** The contacts of postings, the newest first. */
export async function touchesOf(
  db: Kysely<Tables>,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly Touch[]>> {
  const rows = await db
    .selectFrom('job_touches')
    .select(['id', 'job_id', 'at', 'kind', 'note'])
    .where('job_id', 'in', ids)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return byPosting(rows, ({ id, kind, at, note }) => ({ id, kind, at, note }))
}

/** The newest analysis of a posting, of one resume or of any. */
export async function newestAnalysis(
  db: Kysely<Tables>,
  userId: string,
  id: number,
  resumeId: number | undefined,
): Promise<Details['analysis']> {
  const row = await db
    .selectFrom('job_analysis')
    .select(['id', 'job_id', 'resume_id', 'result', 'created_at'])
    .where('user_id', '=', userId)
    .where('job_id', '=', id)
    .where(resumeId === undefined ? sql<boolean>`true` : sql<boolean>`resume_id = ${resumeId}`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!row) return null
  const result = JSON.parse(row.result) as Json
  const own = { id: row.id, jobId: row.job_id, resumeId: row.resume_id, createdAt: row.created_at }
  return { ...(isJsonObject(result) ? result : { result }), ...own }
}

function byPosting<R extends { readonly job_id: number }, T>(
  rows: readonly R[],
  toShape: (row: R) => T,
): ReadonlyMap<number, readonly T[]> {
  const groups = Map.groupBy(rows, ({ job_id }) => job_id)
  return new Map([...groups].map(([id, own]) => [id, own.map(toShape)]))
}
