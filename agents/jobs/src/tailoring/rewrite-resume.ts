import type { Selectable } from 'kysely'

import type { ToolModel } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { ResumeRow } from '../tables.ts'
import { askForRewrite, type RewriteAnswer, type RewriteQuestion } from './ask-for-rewrite.ts'
import { postingText, type TailoringJob } from './base-resume.ts'
import type { Checked } from './check-worker.ts'
import { checkInWorker } from './check-in-worker.ts'
import { countMarks } from './truth-shapes.ts'
import type { Change } from './version.ts'
import type { NewRow } from './versions.ts'

/** How far it has come. */
export type Stage = 'writing' | 'checking' | 'rewriting'

/** For all that is asked of the model, in ms. */
const WITHIN_MS = 120_000

type By = {
  readonly model: ToolModel
  readonly signal: AbortSignal
  readonly tell?: ((stage: Stage) => void) | undefined
}
type Draft = { readonly answer: RewriteAnswer; readonly checked: Checked }

/**
 * Has a resume rewritten for a job. What the check finds made up is held against the model once; what is left of it
 * then is marked in what is given. @throws ServiceError as the model does; `timed-out`
 */
export async function rewriteResume(
  job: TailoringJob,
  resume: Selectable<ResumeRow>,
  { model, signal, tell = () => undefined }: By,
  withinMs = WITHIN_MS,
): Promise<Omit<NewRow, 'user_id'>> {
  const both = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
  const question = { resume: resume.content, posting: { ...job, description: job.description ?? '' } }
  const draft = async (input: RewriteQuestion): Promise<Draft> => {
    const answer = await askForRewrite(model, input, both).catch((error: unknown) => {
      throw signal.aborted || !both.aborted ? error : tooSlow(error)
    })
    tell('checking')
    const proposed = answer.suggestions.map(({ suggested }) => suggested)
    const texts = { base: resume.content, before: resume.content, tailored: answer.content }
    return {
      answer,
      checked: await checkInWorker(resume.user_id, { ...texts, posting: postingText(job), proposed }),
    }
  }
  tell('writing')
  const first = await draft(question)
  const best = first.checked.truth.clean ? first : await better(first, question, { draft, tell, signal })
  return rowOf(best, {
    job_id: job.id,
    resume_id: resume.id,
    resume_version: resume.version,
    model: model.name(),
  })
}

type Trying = {
  readonly draft: (input: RewriteQuestion) => Promise<Draft>
  readonly tell: (stage: Stage) => void
  readonly signal: AbortSignal
}

/** Tries once more. Where that fails, or makes up more, the first one stands with its marks. */
async function better(
  first: Draft,
  question: RewriteQuestion,
  { draft, tell, signal }: Trying,
): Promise<Draft> {
  tell('rewriting')
  const wrong = { content: first.answer.content, marks: first.checked.truth.marks }
  try {
    const second = await draft({ ...question, wrong })
    return countMarks(second.checked.truth) < countMarks(first.checked.truth) ? second : first
  } catch (error) {
    if (signal.aborted || !(error instanceof ServiceError)) throw error
    return first
  }
}

function tooSlow(cause: unknown): ServiceError {
  return new ServiceError(
    'timed-out',
    'The model took longer than two minutes to tailor the resume: nothing was stored.',
    { cause },
  )
}

type Ids = Pick<NewRow, 'job_id' | 'resume_id' | 'resume_version' | 'model'>

function rowOf({ answer, checked }: Draft, ids: Ids): Omit<NewRow, 'user_id'> {
  const { truth, difference, doubtful } = checked
  const { added, removed, sections } = difference
  const change: Change = { from: 'base', added, removed, sections }
  const suggestions = answer.suggestions.map((each, nth) => ({ ...each, doubtful: doubtful[nth] ?? false }))
  return {
    ...ids,
    content: answer.content,
    suggestions: JSON.stringify(suggestions),
    truth: JSON.stringify(truth),
    origin: 'model',
    change: JSON.stringify(change),
  }
}
