import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'

import {
  modelSettings,
  type ModelSettings,
  type CallHooks,
  type EngineHost,
  type EngineJob,
} from '../agents/index.ts'
import { WAITING_FOR_MODEL } from '../events/index.ts'
import type { Models, ModelInfo } from '../models/index.ts'
import { createAnswerBuilder } from './answer-builder.ts'
import { readUntilAborted } from './read-until-aborted.ts'
import { createTextOnlyNotes } from './text-only-notes.ts'
import { toPrompt } from './prompt.ts'
import { createStep, type Step } from './step.ts'
import { createStreamPartHandler } from './stream-part-handler.ts'
import { takeUserMessages } from './take-user-messages.ts'

/** The prompt and the tools of one model call. */
export type StepRequest = Pick<LanguageModelV4CallOptions, 'prompt' | 'tools'>

/**
 * The steps of one run. An engine takes the next one and streams it, until there is none. Limits, notes to the
 * model, messages that the user sends meanwhile, usage and tool calls are taken care of.
 */
export interface Steps {
  /**
   * Waits for the end of the previous step, and returns the next one. Returns undefined if nothing was called
   * and no user message arrived, if the limit is reached, or if the run has been aborted. At the limit there may
   * be a final prompt, and a guardrail's correction gets one more step.
   * @throws what the host threw at a call
   */
  next(): Promise<Step | undefined>
  /**
   * Calls the model and passes its output to the host. `request` replaces the step's own request.
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
  const { model, modelInfo, failure } = await loadModel(models, job, host)
  const answer = createAnswerBuilder(job.partialAnswer)
  const { instructions } = job.agent
  const work = { host, answer, instructions, modelInfo, failure, abortion: whenAborted(signal), hooks }
  const followUps = createTextOnlyNotes(job, host, answer)
  let step: Step | undefined
  let number = 0
  let limit = job.stepsLeft
  return {
    async next() {
      const hasMore = step === undefined || (await waitForEnd(step, signal))
      if (signal.aborted) return undefined
      const userMessages = await takeUserMessages(host, answer)
      // The limit counts steps since the user's last message.
      const hasUserMessages = userMessages.length > 0
      if (hasUserMessages) limit = number + job.agent.maxSteps
      const followUp = hasUserMessages
        ? undefined
        : await followUps.next({ last: step, hasMore, isOver: number >= limit })
      const continues = hasUserMessages || (hasMore && number < limit)
      if (signal.aborted || (followUp === undefined && !continues)) return undefined
      number += 1
      const prompt = toPrompt([...job.history, answer.message], modelInfo().provider, followUp?.text)
      step = createStep({
        ...work,
        number,
        prompt,
        userMessages,
        ...(followUp && { textOnlyReason: followUp.reason }),
      })
      return step
    },
    async stream(current, request = ownRequest(current, job)) {
      if (signal.aborted) return
      const toolChoice = { type: current.textOnlyReason ? 'none' : 'auto' } as const
      const options = { ...settingsOf(modelSettings(job.agent.model)), ...request, toolChoice }
      await readUntilAborted({
        open: async (abortSignal) => (await model.doStream({ ...options, abortSignal })).stream,
        onPart: createStreamPartHandler(current),
        signal,
        failure,
      })
      if (signal.aborted) return
      if (!current.isComplete) throw failure(new Error('The stream broke off.'))
      const endsHere = job.agent.finalPrompt === undefined && current.calls.all.length > 0 && number === limit
      current.close(current.textOnlyReason === 'limit' || endsHere)
    },
  }
}

/** Waits for the end of a step. Returns whether the model has called a tool. */
async function waitForEnd(step: Step, signal: AbortSignal): Promise<boolean> {
  await step.calls.waitForOutcomes()
  if (!signal.aborted) await step.whenClosed
  return step.calls.all.length > 0
}

/** Loads the run's model. `modelInfo` is the model that answered last. */
async function loadModel(models: Models, job: EngineJob, host: EngineHost) {
  const choice = models.choose(modelSettings(job.agent.model))
  const failure = (error: unknown): Error => choice.failure(error)
  let modelInfo: ModelInfo = { name: choice.name, provider: choice.name.split(':')[0] ?? choice.name }
  try {
    const model = await choice.load(
      (info) => (modelInfo = info),
      (retryAfter) => reportWait(host, retryAfter),
      host,
    )
    return { model, modelInfo: () => modelInfo, failure }
  } catch (error) {
    throw failure(error)
  }
}

/** Shows readers at once why the answer is delayed. The event is not part of the answer. */
function reportWait(host: EngineHost, retryAfter: number): void {
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

/** The host validates the input of calls, so the model gets the plain schemas of the tools. */
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

function whenAborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
