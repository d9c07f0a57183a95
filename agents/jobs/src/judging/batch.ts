import type { Kysely } from 'kysely'

import { isServiceError, toFailure, type ErrorCode } from 'dragoman/errors'
import type { Status } from '../postings/status.ts'
import { chosenResume } from '../resumes/chosen-resume.ts'
import type { Tables } from '../tables.ts'
import type { StoredAnalysis } from './analysis.ts'
import { missingDescription, type Analyst, type Judge } from './analyst.ts'
import { USUAL_BATCH } from './request-schemas.ts'
import type { Verdict } from './judged-pair.ts'
import type { Language } from '../words/language.ts'

export type BatchRequest = {
  readonly limit?: number | undefined
  readonly resumeId?: number | undefined
  readonly language?: Language | undefined
}

/** One posting that could not be judged; without an id what held for all. */
export type FailedPosting = {
  readonly jobId: number | null
  readonly title: string | null
  readonly message: string
  readonly code: string
}
export type SkippedPosting = { readonly jobId: number; readonly title: string; readonly reason: string }
/**
 * What became of a batch. `processed` counts all postings that were looked at, `cached` those that nothing had
 * changed for.
 */
export type BatchResult = {
  readonly processed: number
  readonly analyzed: number
  readonly cached: number
  readonly skipped: readonly SkippedPosting[]
  readonly errors: readonly FailedPosting[]
}
/** How far a batch is. */
export type BatchProgress = {
  readonly done: number
  readonly total: number
  readonly jobId: number
  readonly title: string
  readonly score: number | null
  readonly verdict: Verdict | null
  readonly error: string | null
}

/** Judges postings, those in the inbox first. */
export interface Batch {
  /**
   * @throws ServiceError where the resume is none of theirs, or where no model can judge anything; the signal's
   * reason. What is done by then is kept.
   */
  run(
    userId: string,
    request: BatchRequest,
    judge: Judge,
    tell: (news: BatchProgress) => void,
  ): Promise<BatchResult>
  /** @throws ServiceError as `run` does before it begins */
  ready(userId: string, request: BatchRequest): Promise<void>
}

const MAX_CONCURRENT = 2
/** In this order. Rejected and skipped postings are not judged. */
const JUDGED_STATUSES: readonly Status[] = ['inbox', 'applied', 'interviewing', 'offer']
/** A batch looks at no more postings than this for some that are not judged yet. */
const MAX_POSTINGS = 500
const MAX_SKIPPED = 20
/** Errors with these codes occur for every posting. */
const FATAL_CODES: ReadonlySet<ErrorCode> = new Set(['model-missing', 'model-unauthorized', 'unauthorized'])

/** Unforeseen errors of single postings go to `report`. */
export function createBatch(db: Kysely<Tables>, analyst: Analyst, report: (error: unknown) => void): Batch {
  return {
    async ready(userId, { resumeId }) {
      await chosenResume(db, userId, resumeId)
    },

    async run(userId, { limit = USUAL_BATCH, resumeId, language }, judge, tell) {
      const resume = await chosenResume(db, userId, resumeId)
      const waiting = await unjudged(db, userId, resume)
      const count = counting(Math.min(limit, waiting.length), tell)
      const ending = new AbortController()
      const signal = AbortSignal.any([judge.signal, ending.signal])
      const queue = waiting.values()
      const work = async (): Promise<void> => {
        while (count.take()) {
          const next = queue.next()
          if (next.done) return
          await judged(next.value)
        }
      }
      const judged = async (job: Waiting): Promise<void> => {
        try {
          const request = { jobId: job.id, resumeId: resume.id, language }
          count.done(job, (await analyst.analyze(userId, request, { model: judge.model, signal })).analysis)
        } catch (error) {
          signal.throwIfAborted()
          if (isServiceError(error) && FATAL_CODES.has(error.code)) throw error
          if (!isServiceError(error)) report(error)
          count.failed(job, error)
        }
      }
      await allOf(Array.from({ length: MAX_CONCURRENT }, work), ending).catch((error: unknown) => {
        judge.signal.throwIfAborted()
        if (!isServiceError(error) || count.result().analyzed === 0) throw error
        count.failed(undefined, error)
      })
      return { ...count.result(), skipped: await withoutText(db, userId) }
    },
  }
}

/** Waits for all: the first that fails ends the others, and is what it fails with. */
async function allOf(works: readonly Promise<void>[], ending: AbortController): Promise<void> {
  for (const work of works) work.catch((error: unknown) => ending.abort(error))
  await Promise.allSettled(works)
  ending.signal.throwIfAborted()
}

type Waiting = { readonly id: number; readonly title: string }

/** Postings with a text that have not been judged since the resume changed. */
async function unjudged(
  db: Kysely<Tables>,
  userId: string,
  resume: { readonly id: number; readonly updated_at: string },
): Promise<readonly Waiting[]> {
  const found: Waiting[] = []
  for (const status of JUDGED_STATUSES) {
    const rows = await withStatus(db, userId, status)
      .where('jobs.description', 'is not', null)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('job_analysis')
              .select('job_analysis.id')
              .whereRef('job_analysis.job_id', '=', 'jobs.id')
              .where('job_analysis.resume_id', '=', resume.id)
              .where('job_analysis.created_at', '>=', resume.updated_at),
          ),
        ),
      )
      .limit(MAX_POSTINGS - found.length)
      .execute()
    found.push(...rows)
  }
  return found
}

async function withoutText(db: Kysely<Tables>, userId: string): Promise<readonly SkippedPosting[]> {
  const rows = await withStatus(db, userId, 'inbox')
    .where('jobs.description', 'is', null)
    .limit(MAX_SKIPPED)
    .execute()
  return rows.map(({ id, title }) => ({ jobId: id, title, reason: missingDescription(id) }))
}

/** The newest first. By one status at a time the index gives them in order. */
function withStatus(db: Kysely<Tables>, userId: string, status: Status) {
  return db
    .selectFrom('jobs')
    .select(['jobs.id', 'jobs.title'])
    .where('jobs.user_id', '=', userId)
    .where('jobs.status', '=', status)
    .orderBy('jobs.created_at', 'desc')
    .orderBy('jobs.id', 'desc')
}

interface Counting {
  /** Whether another one may be judged. */
  take(): boolean
  done(job: Waiting, analysis: StoredAnalysis): void
  failed(job: Waiting | undefined, error: unknown): void
  result(): Omit<BatchResult, 'skipped'>
}

function counting(total: number, tell: (news: BatchProgress) => void): Counting {
  const errors: FailedPosting[] = []
  let [left, analyzed, cached, done] = [total, 0, 0, 0]
  return {
    take() {
      if (left <= 0) return false
      left -= 1
      return true
    },
    done({ id, title }, { cached: known, overallScore, verdict }) {
      // A stored analysis does not count against the limit.
      if (known) left += 1
      else done += 1
      if (known) cached += 1
      else analyzed += 1
      tell({ done, total, jobId: id, title, score: overallScore, verdict, error: null })
    },
    failed(job, error) {
      const { message, code } = toFailure(error)
      errors.push({ jobId: job?.id ?? null, title: job?.title ?? null, message, code })
      if (!job) return
      done += 1
      tell({ done, total, jobId: job.id, title: job.title, score: null, verdict: null, error: message })
    },
    result: () => ({
      processed: analyzed + cached + errors.filter(({ jobId }) => jobId !== null).length,
      analyzed,
      cached,
      errors,
    }),
  }
}
