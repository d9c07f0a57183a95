import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'

import {
  modelSettings,
  type ModelSettings,
  type CallHooks,
  type EngineHost,
  type EngineJob,
} from '../agents/index.ts'
import { WAITING_FOR_MODEL, type UserMessage } from '../events/index.ts'
import type { Models, ModelInfo } from '../models/index.ts'
import { answerAfter } from './answer.ts'
import { listen } from './listen.ts'
import { notes } from './notes.ts'
import { toPrompt } from './prompt.ts'
import { beginStep, type Step } from './step.ts'
import { partReceiver } from './stream-parts.ts'

/** The prompt and the tools of one model call. */
export type StepRequest = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>

/**
 * The steps of one run. An engine takes the next one and streams it, until there is none. Limits, notes to the model, messages that
 * the user sends meanwhile, usage and tool calls are taken care of.
 */
export interface Steps {
  /**
   * Waits for the end of the step before, and gives the next one: none where nothing was called and nobody has said anything, the limit is
   * reached or the run has been aborted; but at the limit an agent may have a last word, and what a review finds is put right.
   * @throws what the host threw at a call
   */
  next(): Promise<Step | undefined>
  /**
   * Calls the model and passes its answer on to the host, to its end. `request` replaces what the step itself would ask.
   * @throws ServiceError if the model fails, and what the host threw
   */
  stream(step: Step, request?: StepRequest): Promise<void>
}

/**
 * Prepares a run's steps. `hooks` see each call before it runs, and its outcome before that is recorded.
 * @throws ServiceError if no model can be used
 */
export async function createSteps(
  models: Models,
  job: EngineJob,
  host: EngineHost,
  hooks?: CallHooks,
): Promise<Steps> {
  const { signal } = host
  const { model, speaker, failure } = await loadModel(models, job, host)
  const answer = answerAfter(job.partialAnswer)
  const { instructions } = job.agent
  const work = { host, answer, instructions, speaker, failure, stopped: aborted(signal), hooks }
  const noted = notes(job, host, answer)
  let step: Step | undefined
  let number = 0
  let limit = job.stepsLeft

  const ended = async (last: Step): Promise<boolean> => {
    await last.calls.settled()
    if (!signal.aborted) await last.closed
    return last.calls.made.length > 0
  }
  const takeJoined = async (): Promise<readonly UserMessage[]> => {
    const messages = await host.takeUserMessages()
    for (const { id: messageId, parts: input } of messages)
      answer.note({ type: 'user.joined', messageId, input })
    return messages
  }
  return {
    async next() {
      const more = step === undefined || (await ended(step))
      if (signal.aborted) return undefined
      const joined = await takeJoined()
      // The limit counts steps since the user's last message.
      const isSpokenTo = joined.length > 0
      if (isSpokenTo) limit = number + job.agent.maxSteps
      const note = isSpokenTo ? undefined : await noted.before({ last: step, more, isOver: number >= limit })
      const goesOn = isSpokenTo || (more && number < limit)
      if (signal.aborted || (note === undefined && !goesOn)) return undefined
      number += 1
      const prompt = toPrompt([...job.history, answer.message], speaker().provider, note?.words)
      step = beginStep({ ...work, number, prompt, joined, ...(note && { closing: note.why }) })
      return step
    },
    async stream(current, request = ownRequest(current, job)) {
      if (signal.aborted) return
      const toolChoice = { type: current.closing ? 'none' : 'auto' } as const
      const asked = { ...settingsOf(modelSettings(job.agent.model)), ...request, toolChoice }
      await listen({
        open: async (abortSignal) => (await model.doStream({ ...asked, abortSignal })).stream,
        take: partReceiver(current),
        signal,
        failure,
      })
      if (signal.aborted) return
      if (!current.complete) throw failure(new Error('The stream broke off.'))
      const endsHere =
        job.agent.finalPrompt === undefined && current.calls.made.length > 0 && number === limit
      current.close(current.closing === 'limit' || endsHere)
    },
  }
}

/** The run's model, who answers for it (or did last), and what its errors mean. */
async function loadModel(models: Models, job: EngineJob, host: EngineHost) {
  const chosen = models.choose(modelSettings(job.agent.model))
  const failure = (error: unknown): Error => chosen.failure(error)
  let speaker: ModelInfo = { name: chosen.name, provider: chosen.name.split(':')[0] ?? chosen.name }
  try {
    const model = await chosen.load(
      (by) => (speaker = by),
      (retryAfter) => tellWait(host, retryAfter),
    )
    return { model, speaker: () => speaker, failure }
  } catch (error) {
    throw failure(error)
  }
}

/** Readers learn at once why nothing comes. The event is no part of the answer. */
function tellWait(host: EngineHost, retryAfter: number): void {
  void host.emit({ type: 'data', name: WAITING_FOR_MODEL, value: { retryAfter }, transient: true })
}

type Settings = Pick<LanguageModelV4CallOptions, 'temperature' | 'reasoning' | 'maxOutputTokens'>

function settingsOf({ temperature, thinking, maxOutputTokens }: ModelSettings): Settings {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(thinking !== undefined && { reasoning: thinking }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

/** The host validates what the model writes by the schemas of the tools. */
function ownRequest({ instructions, prompt }: Step, { tools }: EngineJob): StepRequest {
  const whole: StepRequest = { prompt: [{ role: 'system', content: instructions }, ...prompt] }
  if (tools.length === 0) return whole
  return {
    ...whole,
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: inputSchema as LanguageModelV4FunctionTool['inputSchema'],
    })),
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
