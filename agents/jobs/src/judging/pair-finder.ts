import type { Kysely, Selectable } from 'kysely'

import { ServiceError } from 'dragoman/errors'
import type { Posting } from '../postings/posting.ts'
import type { Postings } from '../postings/postings.ts'
import { chosenResume } from '../resumes/chosen-resume.ts'
import type { ResumeRow, Tables } from '../tables.ts'
import type { Language } from '../words/language.ts'

/** A posting and a resume of the user. Without `resumeId`, the default resume. */
export type PairRequest = {
  readonly jobId: number | undefined
  readonly resumeId?: number | undefined
  readonly language?: Language | undefined
}

/** A user's posting and resume, to be held against each other. */
export type PostingAndResume = { readonly posting: Posting; readonly resume: Selectable<ResumeRow> }
export type FindPair = (userId: string, asked: PairRequest) => Promise<PostingAndResume>

/** Finds them. @throws ServiceError `not-found`, also for another user's; `invalid-request` where none is meant */
export function createPairFinder(db: Kysely<Tables>, postings: Pick<Postings, 'get'>): FindPair {
  return async (userId, { jobId, resumeId }) => {
    if (jobId === undefined) {
      throw new ServiceError('invalid-request', 'jobId is required: say which posting is meant.')
    }
    const posting = await postings.get(userId, jobId)
    return { posting, resume: await chosenResume(db, userId, resumeId) }
  }
}
