import type { Posting } from '../postings/posting.ts'
import { judgedPosting, judgedResume, judgedLanguage } from './judged-pair.ts'
import type { PairRequest, FindPair } from './pair-finder.ts'
import { prescore, type Prescore } from './prescore.ts'

/** Compares a user's posting with a resume of theirs. @throws ServiceError `not-found`, `invalid-request` */
export type Prescorer = (
  userId: string,
  request: PairRequest,
) => Promise<{ readonly posting: Posting; readonly result: Scored }>
export type Scored = Prescore & { readonly jobId: number; readonly resumeId: number }

export function prescorer(find: FindPair, now: () => Date = () => new Date()): Prescorer {
  return async (userId, request) => {
    const found = await find(userId, request)
    const posting = judgedPosting(found.posting)
    const language = request.language ?? judgedLanguage(posting)
    const result = prescore({ posting, resume: judgedResume(found.resume), language, now: now() })
    return {
      posting: found.posting,
      result: { jobId: found.posting.id, resumeId: found.resume.id, ...result },
    }
  }
}
