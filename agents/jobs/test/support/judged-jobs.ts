import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** The postings of the judgements that are kept, the oldest first. */
export function judgedJobs(home: string): number[] {
  const db = new DatabaseSync(join(home, 'dragoman.db'), { readOnly: true })
  try {
    return db
      .prepare('SELECT job_id FROM job_analysis ORDER BY id')
      .all()
      .map((row) => Number(row['job_id']))
  } finally {
    db.close()
  }
}
