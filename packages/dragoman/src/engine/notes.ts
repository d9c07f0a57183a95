import { CORRECTION, isJsonObject, serverNote, type AssistantMessage } from '../events/index.ts'
import type { Answer } from './answer.ts'
import type { EngineHost, EngineJob } from '../agents/index.ts'
import type { Closing, Step } from './step.ts'

/** What a model is told before a step in which it may only speak. */
export type Note = { readonly why: Closing; readonly words: string }

type Place = {
  readonly last: Step | undefined
  /** The model has called something, or has not been asked yet. */
  readonly more: boolean
  /** Its steps are used up. */
  readonly isOver: boolean
}

/** What is to be said to the model beside the conversation: at its step limit, and where a review has found something in its answer. */
export function notes(job: EngineJob, host: EngineHost, answer: Answer) {
  return {
    async before({ last, more, isOver }: Place): Promise<Note | undefined> {
      const because = last ? undefined : uncorrected(answer.message)
      if (because !== undefined) return { why: 'review', words: serverNote(because) }
      const { finalPrompt: lastWord } = job.agent
      if (more && isOver && lastWord !== undefined && last?.closing === undefined)
        return { why: 'limit', words: serverNote(lastWord) }
      const found = more ? undefined : await findCorrection(job, host, answer)
      return found === undefined ? undefined : { why: 'review', words: serverNote(found) }
    },
  }
}

/** What the agent's guardrail says about the answer. It is asked once in a run. */
export async function findCorrection(
  job: EngineJob,
  host: EngineHost,
  answer: Answer,
): Promise<string | undefined> {
  if (!job.outputGuardrail || answer.message.parts.some(isCorrection)) return undefined
  const because = await job.outputGuardrail(answer.message)
  if (because === undefined || host.signal.aborted) return undefined
  const event = { type: 'data', name: CORRECTION, value: { because } } as const
  answer.note(event)
  await host.emit(event)
  return because
}

type Part = AssistantMessage['parts'][number]

function isCorrection(part: Part): part is Extract<Part, { type: 'data' }> {
  return part.type === 'data' && part.name === CORRECTION
}

/** What an attempt had found, and not had put right when it was cut off. */
function uncorrected({ parts }: AssistantMessage): string | undefined {
  const last = parts.findLast((part) => part.type === 'text' || part.type === 'tool' || isCorrection(part))
  if (!last || !isCorrection(last)) return undefined
  const because = isJsonObject(last.value) ? last.value['because'] : undefined
  return typeof because === 'string' ? because : undefined
}
