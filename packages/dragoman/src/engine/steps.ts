import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from '@ai-sdk/provider'

import type { AssistantMessage } from '../events/index.ts'
import type { CallHooks, EngineHost, EngineJob, StepSettings } from '../agents/index.ts'
import { HOOK_TIMEOUT_MS, raceAbort, withTimeout } from '../async/index.ts'
import type { Models } from '../models/index.ts'
import { createAnswerBuilder } from './answer-builder.ts'
import { readUntilAborted } from './read-until-aborted.ts'
import { createTextOnlyNotes } from './text-only-notes.ts'
import { withFileContents } from './file-contents.ts'
import { toPrompt } from './prompt.ts'
import { awaitsProvider } from './provider-calls.ts'
import { createModelLoader, type StepModel } from './step-model.ts'
import { createStep, type Step } from './step.ts'
import { createStreamPartHandler } from './stream-part-handler.ts'
import { takeUserMessages } from './take-user-messages.ts'
import { toolsOfStep } from './tools-of-step.ts'

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
  const loadModel = createModelLoader(models, job, host)
  let current: CurrentModel = { ...(await loadModel()), stepSettings: {} }
  const answer = createAnswerBuilder(job.partialAnswer)
  const work = { host, answer, abortion: whenAborted(signal), hooks }
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
      const tools = (await job.currentTools?.()) ?? job.tools
      const stepSettings = await prepareStep({ ...job, tools }, answer.message, signal)
      if (signal.aborted) return undefined
      current = { ...(await loadModel(stepSettings)), stepSettings }
      const { modelInfo, failure } = current
      const continuesStep = step !== undefined || awaitsProvider(answer.message.parts)
      const end = { note: followUp?.text, goesOn: continuesStep && hasMore }
      const prompt = toPrompt([...job.history, answer.message], modelInfo().provider, end)
      const { instructions = job.agent.instructions } = stepSettings
      step = createStep({
        ...work,
        number,
        instructions,
        prompt,
        tools,
        userMessages,
        modelInfo,
        failure,
        ...(followUp && { textOnlyReason: followUp.reason }),
      })
      return step
    },
    async stream(streamed, request = ownRequest(streamed)) {
      if (signal.aborted) return
      await streamStep(streamed, request, { job, host, current })
      if (signal.aborted) return
      const endsHere = job.agent.finalPrompt === undefined && goesOn(streamed) && number === limit
      streamed.close(streamed.textOnlyReason === 'limit' || endsHere)
    },
  }
}

type CurrentModel = StepModel & { readonly stepSettings: StepSettings }

async function streamStep(
  step: Step,
  { tools, prompt }: StepRequest,
  { job, host, current }: { job: EngineJob; host: EngineHost; current: CurrentModel },
): Promise<void> {
  const { signal } = host
  const { model, failure, settings, stepSettings } = current
  const isTextOnly = step.textOnlyReason !== undefined
  const options = {
    ...settings,
    prompt: await withFileContents(prompt, model.supportedUrls, host),
    ...toolsOfStep(tools, { job, settings: stepSettings, isTextOnly }),
  }
  await readUntilAborted({
    open: async (abortSignal) => (await model.doStream({ ...options, abortSignal })).stream,
    onPart: createStreamPartHandler(step),
    signal,
    failure,
  })
  if (!signal.aborted && step.ended === undefined) throw failure(new Error('The stream broke off.'))
}

/** What the agent says about the next step. @throws what its `prepareStep` throws, and if that takes too long */
async function prepareStep(
  { agent, userId, context, tools }: EngineJob,
  answer: AssistantMessage,
  signal: AbortSignal,
): Promise<StepSettings> {
  if (!agent.prepareStep) return {}
  const stepNumber = answer.parts.filter(({ type }) => type === 'step').length
  const input = { stepNumber, userId, context, answer, tools: tools.map(({ name }) => name) }
  const prepared = await raceAbort(
    withTimeout(new AbortController().signal, HOOK_TIMEOUT_MS, async () => agent.prepareStep?.(input)),
    signal,
    () => undefined,
  )
  return prepared ?? {}
}

/** Waits for the end of a step. Returns whether the model has more to say. */
async function waitForEnd(step: Step, signal: AbortSignal): Promise<boolean> {
  await step.calls.waitForOutcomes()
  if (!signal.aborted) await step.whenClosed
  return goesOn(step)
}

/** Whether the model has called a tool, of ours or of its provider that is not done with it. */
function goesOn({ calls, ended }: Step): boolean {
  return calls.all.length > 0 || ended === 'paused'
}

/** The host validates the input of calls, so the model gets the plain schemas of the tools. */
function ownRequest({ instructions, prompt, tools }: Step): StepRequest {
  // Providers refuse an empty text.
  const system = instructions.trim() === '' ? [] : [{ role: 'system' as const, content: instructions }]
  const whole: StepRequest = { prompt: [...system, ...prompt] }
  if (tools.length === 0) return whole
  return {
    ...whole,
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      // Gemini refuses one without words.
      description: description.trim() === '' ? name : description,
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
