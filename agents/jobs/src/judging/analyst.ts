import { createHash } from 'node:crypto'

import type { AgentStorage, ToolModel } from 'dragoman/agents'
import { isServiceError, ServiceError } from 'dragoman/errors'
import type { Posting } from '../postings/posting.ts'
import type { StoredAnalysis } from './analysis.ts'
import { answerShape, PROMPT_VERSION, createAnalysisPrompt, type Answer } from './analysis-prompt.ts'
import { checkAnswer, type JudgedTexts } from './check-answer.ts'
import { keyedQueue } from '@dragoman/agent-kit/keyed-queue'
import { judgedLanguage, judgedPosting, MAX_JUDGED_LENGTH } from './judged-pair.ts'
import type { Key, StoredAnalyses } from './stored-analyses.ts'
import type { PairRequest, FindPair, PostingAndResume } from './pair-finder.ts'

/** Which model judges, and until when. */
export type Judge = { readonly model: ToolModel; readonly signal: AbortSignal }

export type AnalysisRequest = PairRequest & { readonly forceRefresh?: boolean | undefined }
export type AnalyzedPosting = { readonly posting: Posting; readonly analysis: StoredAnalysis }

/** Has a model judge how a posting and a resume fit, and checks what it says. */
export interface Analyst {
  /**
   * What was judged before is not asked again, unless the texts have changed or `forceRefresh` says so. @throws
   * ServiceError
   */
  analyze(userId: string, request: AnalysisRequest, judge: Judge): Promise<AnalyzedPosting>
  /**
   * The newest that there is, with one resume or with any. @throws ServiceError `not-found`, where the posting is
   * none of theirs
   */
  newest(userId: string, jobId: number, resumeId: number | undefined): Promise<StoredAnalysis | null>
}

/** How long a model may take for an answer; then it is asked once more. In ms. */
const WITHIN_MS = 60_000
/** What an analysis takes. */
const USUAL_BYTES = 5000

type Parts = {
  readonly find: FindPair
  readonly posting: (userId: string, id: number) => Promise<Posting>
  readonly kept: StoredAnalyses
  /** Asked before a model is. */
  readonly grow: AgentStorage['grow']
  readonly withinMs?: number
}

/** Makes an analyst. */
export function createAnalyst({ find, posting, kept, grow, withinMs = WITHIN_MS }: Parts): Analyst {
  const turn = keyedQueue()
  return {
    async analyze(userId, request, { model, signal }) {
      signal.throwIfAborted()
      const found = await find(userId, request)
      const texts = textsOf(found, request)
      const name = model.name()
      const key: Key = {
        userId,
        jobId: found.posting.id,
        resumeId: found.resume.id,
        hash: hashOf(name, texts),
      }
      const analysis = await turn(`${userId} ${key.jobId} ${key.resumeId}`, signal, async () => {
        const same = request.forceRefresh ? undefined : await kept.same(key)
        if (same) return same
        return grow(userId, USUAL_BYTES, async () => {
          const answer = await answerOf({ model, signal }, texts, withinMs)
          return kept.keep(key, { ...checkAnswer(answer, texts), model: name })
        })
      })
      return { posting: found.posting, analysis }
    },

    async newest(userId, jobId, resumeId) {
      await posting(userId, jobId)
      return kept.newest(userId, jobId, resumeId)
    },
  }
}

/** @throws ServiceError `invalid-request` where there is nothing to judge */
function textsOf({ posting, resume }: PostingAndResume, { language }: PairRequest): JudgedTexts {
  const { description } = judgedPosting(posting)
  if (description.trim() === '') throw new ServiceError('invalid-request', missingDescription(posting.id))
  if (resume.content.trim() === '') {
    throw new ServiceError('invalid-request', `The resume ${resume.id} has no text to judge.`)
  }
  const { title, company, location, workplace, employmentType, salary } = posting
  const facts = [
    ['Title', title],
    ['Company', company],
    ['Location', location],
    ['Workplace', workplace],
    ['Employment', employmentType],
    ['Salary', salary?.text],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  return {
    posting: `${facts.join('\n')}\n\n${description}`.slice(0, MAX_JUDGED_LENGTH),
    resume: resume.content.slice(0, MAX_JUDGED_LENGTH),
    language: language ?? judgedLanguage(judgedPosting(posting)),
  }
}

/** What a posting without a description lacks. */
export function missingDescription(id: number): string {
  return `The posting ${id} has no description to judge: read its page in first.`
}

function hashOf(model: string, { posting, resume, language }: JudgedTexts): string {
  const all = [`${PROMPT_VERSION}-${language}`, model, posting, resume].join('::')
  return createHash('sha256').update(all).digest('hex').slice(0, 32)
}

/** A model that was too slow is asked once more. All else has been tried again already. */
async function answerOf(judge: Judge, texts: JudgedTexts, withinMs: number): Promise<Answer> {
  try {
    return await ask(judge, texts, withinMs)
  } catch (error) {
    if (judge.signal.aborted || !isServiceError(error, 'timed-out')) throw error
    return ask(judge, texts, withinMs)
  }
}

async function ask({ model, signal }: Judge, texts: JudgedTexts, withinMs: number): Promise<Answer> {
  const late = AbortSignal.timeout(withinMs)
  try {
    const request = {
      ...createAnalysisPrompt(texts.posting, texts.resume, texts.language),
      schema: answerShape,
    }
    return await model.object(request, AbortSignal.any([signal, late]))
  } catch (error) {
    signal.throwIfAborted()
    if (!late.aborted) throw error
    const seconds = Math.round(withinMs / 1000)
    throw new ServiceError('timed-out', `The model gave no analysis within ${seconds} seconds.`, {
      cause: error,
    })
  }
}
