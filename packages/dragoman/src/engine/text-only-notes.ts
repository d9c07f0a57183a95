import { CORRECTION, isJsonObject, serverNote, type AssistantMessage } from '../events/index.ts'
import type { AnswerBuilder } from './answer-builder.ts'
import type { EngineHost, EngineJob } from '../agents/index.ts'
import type { TextOnlyReason, Step } from './step.ts'

/** A note to the model before a step in which it may only write text. */
export type TextOnlyNote = { readonly reason: TextOnlyReason; readonly text: string }

type RunPosition = {
  readonly last: Step | undefined
  /** Whether the model has called a tool, or has not been called yet. */
  readonly hasMore: boolean
  /** Its steps are used up. */
  readonly isOver: boolean
}

/**
 * Creates the notes that follow the conversation: the final prompt at the step limit, and the corrections of the
 * guardrail.
 */
export function createTextOnlyNotes(job: EngineJob, host: EngineHost, answer: AnswerBuilder) {
  return {
    async next({ last, hasMore, isOver }: RunPosition): Promise<TextOnlyNote | undefined> {
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

/** Returns the guardrail's correction of the answer. The guardrail is called once in a run. */
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

/** The correction that an earlier attempt recorded and did not apply. */
function openCorrection({ parts }: AssistantMessage): string | undefined {
  const last = parts.findLast((part) => part.type === 'text' || part.type === 'tool' || isCorrection(part))
  if (!last || !isCorrection(last)) return undefined
  const problem = isJsonObject(last.value) ? last.value['because'] : undefined
  return typeof problem === 'string' ? problem : undefined
}
