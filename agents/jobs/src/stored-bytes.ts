import { nextTurn } from 'dragoman/async'
import { sql, type RawBuilder } from 'kysely'

import type { Database } from 'dragoman/database'
import type { Tables } from './tables.ts'

/** What a row takes besides its texts, with its rows in the indexes. */
export const ROW_BYTES = 500

/** PostgreSQL gives the sum of large numbers as a text. */
type Sum = (userId: string) => RawBuilder<{ bytes: number | string | null }>

/** The sum of some columns of a user's rows. `own`: what comes after FROM. */
function sumOf(columns: readonly string[], own: (userId: string) => RawBuilder<unknown>): Sum {
  const sizes = columns.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`)
  const size = sql.join([sql.lit(ROW_BYTES), ...sizes], sql` + `)
  return (userId) => sql`SELECT sum(${size}) AS bytes FROM ${own(userId)}`
}

const ofUser =
  (table: string) =>
  (userId: string): RawBuilder<unknown> =>
    sql`${sql.table(table)} WHERE user_id = ${userId}`
const ofParent =
  (table: string, parent: string, key: string) =>
  (userId: string): RawBuilder<unknown> =>
    sql`${sql.table(parent)} AS parent JOIN ${sql.table(table)} AS part ON ${sql.ref(`part.${key}`)} = parent.id
      WHERE parent.user_id = ${userId}`

/** The sizes of the rows of a user, by table. The words of a description are in an index too. */
const sums: Readonly<Record<keyof Tables, Sum | 'in another table'>> = {
  jobs: sumOf(
    [
      'description',
      'description',
      'notes',
      'contacts',
      'tags',
      'locations',
      'location',
      'url',
      'title',
      'company',
    ],
    ofUser('jobs'),
  ),
  resumes: sumOf(['content', 'data', 'parse_errors'], ofUser('resumes')),
  resume_versions: sumOf(['part.content'], ofParent('resume_versions', 'resumes', 'resume_id')),
  tailored_resumes: sumOf(['content', 'suggestions', 'truth', 'change'], ofUser('tailored_resumes')),
  tailored_files: sumOf(['part.bytes'], ofParent('tailored_files', 'tailored_resumes', 'tailored_id')),
  job_analysis: sumOf(['result'], ofUser('job_analysis')),
  job_touches: sumOf(['part.note'], ofParent('job_touches', 'jobs', 'job_id')),
  job_status_history: sumOf([], ofParent('job_status_history', 'jobs', 'job_id')),
  job_sources: sumOf(['name', 'settings', 'state', 'last_error'], ofUser('job_sources')),
  job_sightings: sumOf(['part.key', 'part.subject'], ofParent('job_sightings', 'job_sources', 'source_id')),
  job_skills: 'in another table',
  job_words: 'in another table',
}

/** The bytes of a user's postings, resumes and what was made of them. */
export async function storedBytes(db: Database, userId: string): Promise<number> {
  let all = 0
  for (const sum of Object.values(sums)) {
    if (sum === 'in another table') continue
    const { rows } = await sum(userId).execute(db)
    all += Number(rows[0]?.bytes ?? 0)
    await nextTurn()
  }
  return all
}
