import { setImmediate as turn } from 'node:timers/promises'

import { sql, type RawBuilder } from 'kysely'

import type { Database } from 'dragoman/database'

/** What a row takes besides its texts, with its rows in the indexes. */
const ROW_BYTES = 500

/** The sizes of the texts of a user's rows. The words of a posting are in an index too. */
const sums: readonly ((userId: string) => RawBuilder<{ bytes: number | null }>)[] = [
  (userId) => sql`SELECT sum(${sql.lit(ROW_BYTES)} + 2 * coalesce(octet_length(description), 0)) AS bytes
    FROM jobs WHERE user_id = ${userId}`,
  (userId) => sql`SELECT sum(${sql.lit(ROW_BYTES)} + octet_length(content) + octet_length(data)) AS bytes
    FROM resumes WHERE user_id = ${userId}`,
  (userId) => sql`SELECT sum(${sql.lit(ROW_BYTES)} + octet_length(v.content)) AS bytes
    FROM resumes AS r JOIN resume_versions AS v ON v.resume_id = r.id WHERE r.user_id = ${userId}`,
  (userId) => sql`SELECT sum(${sql.lit(ROW_BYTES)} + octet_length(content) + octet_length(suggestions)
      + octet_length(truth) + octet_length(change)) AS bytes
    FROM tailored_resumes WHERE user_id = ${userId}`,
  (userId) => sql`SELECT sum(${sql.lit(ROW_BYTES)} + octet_length(f.bytes)) AS bytes
    FROM tailored_resumes AS t JOIN tailored_files AS f ON f.tailored_id = t.id WHERE t.user_id = ${userId}`,
  (userId) => sql`SELECT sum(${sql.lit(ROW_BYTES)} + octet_length(result)) AS bytes
    FROM job_analysis WHERE user_id = ${userId}`,
  (userId) => sql`SELECT sum(${sql.lit(ROW_BYTES)} + octet_length(t.note)) AS bytes
    FROM jobs AS j JOIN job_touches AS t ON t.job_id = j.id WHERE j.user_id = ${userId}`,
]

/** The bytes of a user's postings, resumes and what was made of them. */
export async function storedBytes(db: Database, userId: string): Promise<number> {
  let all = 0
  for (const sum of sums) {
    const { rows } = await sum(userId).execute(db)
    all += rows[0]?.bytes ?? 0
    await turn()
  }
  return all
}
