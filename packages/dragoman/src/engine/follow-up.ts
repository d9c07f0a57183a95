import { CORRECTION, isJsonObject, serverNote, type AssistantMessage } from '../events/index.ts'
import type { AnswerBuilder } from './answer-builder.ts'
import type { EngineHost, EngineJob } from '../agents/index.ts'
import type { TextOnlyReason, Step } from './step.ts'

/** What a model is told before a step in which it may only speak. */
export type FollowUp = { readonly reason: TextOnlyReason; readonly text: string }

type RunPosition = {
  readonly last: Step | undefined
  /** The model has called something, or has not been asked yet. */
  readonly hasMore: boolean
  /** Its steps are used up. */
  readonly isOver: boolean
}

/** What is to be said to the model beside the conversation: at its step limit, and where a review has found something in its answer. */
export function createFollowUps(job: EngineJob, host: EngineHost, answer: AnswerBuilder) {
  return {
    async next({ last, hasMore, isOver }: RunPosition): Promise<FollowUp | undefined> {
      const problem = last ? undefined : openCorrection(answer.message)
      if (problem !== undefined) return { reason: 'review', text: serverNote(problem) }
      const { finalPrompt } = job.agent
      if (hasMore && isOver && finalPrompt !== undefined && last?.textOnlyReason === undefined)
        return { reason: 'limit', text: serverNote(finalPrompt) }
      const correction = hasMore ? undefined : await findCorrection(job, host, answer)
      return correction === undefined ? undefined : { reason: 'review', text: serverNote(correction) }
    },
  }
}

/** What the agent's guardrail says about the answer. It is asked once in a run. */
export async function findCorrection(
  job: EngineJob,
  host: EngineHost,
  answer: AnswerBuilder,
): Promise<string | undefined> {
  if (!job.outputGuardrail || answer.message.parts.some(isCorrection)) return undefined
  const problem = await job.outputGuardrail(answer.message)
  if (problem === undefined || host.signal.aborted) return undefined
  const event = { type: 'data', name: CORRECTION, value: { because: problem } } as const
  answer.apply(event)
  await host.emit(event)
  return problem
}

type Part = AssistantMessage['parts'][number]

function isCorrection(part: Part): part is Extract<Part, { type: 'data' }> {
  return part.type === 'data' && part.name === CORRECTION
}

/** What an attempt had found, and not had put right when it was cut off. */
function openCorrection({ parts }: AssistantMessage): string | undefined {
  const last = parts.findLast((part) => part.type === 'text' || part.type === 'tool' || isCorrection(part))
  if (!last || !isCorrection(last)) return undefined
  const problem = isJsonObject(last.value) ? last.value['because'] : undefined
  return typeof problem === 'string' ? problem : undefined
}
