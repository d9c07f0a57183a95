import type { Kysely, Selectable } from 'kysely'

import { ownPosting } from '../postings/own-posting.ts'
import { chosenResume } from '../resumes/chosen-resume.ts'
import { countUse } from '../resumes/count-use.ts'
import type { Tables } from '../tables.ts'
import { userTransaction } from '../user-transaction.ts'
import type { Analysis, StoredAnalysis } from './analysis.ts'
import { analysisMarkdown } from './analysis-markdown.ts'

/** What an analysis is of, and the hash of all that it was made from. */
export type Key = {
  readonly userId: string
  readonly jobId: number
  readonly resumeId: number
  readonly hash: string
}

type Row = Selectable<Tables['job_analysis']>

/** The analyses of each user. */
export interface StoredAnalyses {
  /** The newest that was made from the same. */
  same(key: Key): Promise<StoredAnalysis | undefined>
  /** The newest of a posting, with one resume or with any. */
  newest(userId: string, jobId: number, resumeId: number | undefined): Promise<StoredAnalysis | null>
  /**
   * Keeps one that was just made, counts the resume's use, and gives the posting the score of the default resume.
   * @throws ServiceError `not-found` if posting or resume are gone meanwhile
   */
  keep(key: Key, analysis: Analysis): Promise<StoredAnalysis>
}

/** Keeps analyses in the database. */
export function storedAnalyses(db: Kysely<Tables>): StoredAnalyses {
  const ofPosting = (userId: string, jobId: number) =>
    db
      .selectFrom('job_analysis')
      .selectAll()
      .where('user_id', '=', userId)
      .where('job_id', '=', jobId)
      .orderBy('id', 'desc')
      .limit(1)

  return {
    async same({ userId, jobId, resumeId, hash }) {
      const all = ofPosting(userId, jobId).where('resume_id', '=', resumeId)
      const row = await all.where('prompt_hash', '=', hash).executeTakeFirst()
      return row && analysisOf(row, true)
    },

    async newest(userId, jobId, resumeId) {
      const all = ofPosting(userId, jobId)
      const row = await (
        resumeId === undefined ? all : all.where('resume_id', '=', resumeId)
      ).executeTakeFirst()
      return row ? analysisOf(row, true) : null
    },

    keep: (key, analysis) => keep(db, key, analysis),
  }
}

async function keep(db: Kysely<Tables>, key: Key, analysis: Analysis): Promise<StoredAnalysis> {
  const { userId, jobId, resumeId, hash } = key
  const row = await userTransaction(db, userId, async (trx) => {
    const resume = await chosenResume(trx, userId, resumeId)
    await countUse(trx, userId, resumeId)
    await ownPosting(trx, userId, jobId)
    if (resume.is_default === 1) {
      const own = trx.updateTable('jobs').where('user_id', '=', userId).where('id', '=', jobId)
      await own.set({ score: analysis.overallScore }).execute()
    }
    return trx
      .insertInto('job_analysis')
      .values({
        user_id: userId,
        job_id: jobId,
        resume_id: resumeId,
        model: analysis.model,
        prompt_hash: hash,
        score: analysis.overallScore,
        result: JSON.stringify(analysis),
        created_at: new Date().toISOString(),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return analysisOf(row, false)
}

function analysisOf(row: Row, cached: boolean): StoredAnalysis {
  const analysis = JSON.parse(row.result) as Analysis
  return {
    id: row.id,
    jobId: row.job_id,
    resumeId: row.resume_id,
    ...analysis,
    createdAt: row.created_at,
    cached,
    markdown: analysisMarkdown(analysis),
  }
}
