import type { AssistantPart, FinishReason, UserMessage } from '../events/index.ts'
import type { ModelInfo } from '../models/index.ts'
import type { AnswerBuilder } from './answer-builder.ts'
import { createCallIds } from './call-ids.ts'
import type { CallHooks, CallInput, EngineEvent, EngineHost } from '../agents/index.ts'
import type { PromptMessage } from './prompt.ts'
import { createMetadataBuffer, toProviderField } from './provider-metadata.ts'
import { toFinishReason, toUsage, type ReportedUsage } from './reported-usage.ts'
import { createStepCalls, type StepCalls } from './step-calls.ts'

/** A promise means that the host is behind: await it. */
type MaybePromise = void | Promise<void>
type Kind = 'text' | 'reasoning'

/**
 * One model call. The model's output goes to the host at once, and each tool call is run as soon as it is
 * complete. Ids are the provider's own. The step starts with the first event.
 */
export interface Step {
  readonly instructions: string
  readonly prompt: readonly PromptMessage[]
  /** Messages that the user sent since the step before. They are in the prompt. */
  readonly userMessages: readonly UserMessage[]
  readonly calls: StepCalls
  /** The output of the model so far. */
  readonly parts: readonly AssistantPart[]
  /** Why the model may call no tool in this step. */
  readonly textOnlyReason?: TextOnlyReason
  /** Whether the model has reported its finish reason. */
  readonly isComplete: boolean
  start(kind: Kind, id: string, metadata: unknown): MaybePromise
  delta(kind: Kind, id: string, delta: string, metadata: unknown): MaybePromise
  end(kind: Kind, id: string, metadata: unknown): MaybePromise
  startCall(id: string, tool: string): MaybePromise
  callDelta(id: string, delta: string): MaybePromise
  call(id: string, tool: string, input: CallInput, metadata: unknown): MaybePromise
  finish(reason: string, reported: ReportedUsage): void
  /** @throws ServiceError for an error of the model */
  fail(error: unknown): never
  /** Reports the end. `isLimit`: the steps are used up. */
  close(isLimit: boolean): void
  /** Resolves once the end is written, after the outcomes of the calls. @throws what the host threw */
  readonly whenClosed: Promise<void>
}

/** Why a step allows only text: the steps are used up, or the guardrail has a correction. */
export type TextOnlyReason = 'limit' | 'review'

export type StepOptions = {
  readonly host: EngineHost
  readonly answer: AnswerBuilder
  /** From 1, in its run. */
  readonly number: number
  readonly instructions: string
  readonly prompt: readonly PromptMessage[]
  readonly userMessages: readonly UserMessage[]
  readonly textOnlyReason?: TextOnlyReason
  /** The model that answers, or answered last. */
  readonly modelInfo: () => ModelInfo
  readonly failure: (error: unknown) => Error
  /** Resolves when the run is aborted. */
  readonly abortion: Promise<undefined>
  readonly hooks: CallHooks | undefined
}

export function createStep(options: StepOptions): Step {
  const { answer, instructions, prompt, userMessages, textOnlyReason, modelInfo, failure } = options
  const partsBefore = answer.message.parts.length
  const calls = createStepCalls(options)
  const metadataBuffer = createMetadataBuffer()
  const emit = createEmitter(options)
  const endWriter = createEndWriter(emit)
  let end: { readonly reason: FinishReason; readonly spent: ReportedUsage } | undefined
  return {
    instructions,
    prompt,
    userMessages,
    calls,
    ...(textOnlyReason && { textOnlyReason }),
    get parts() {
      return answer.message.parts.slice(partsBefore)
    },
    get isComplete() {
      return end !== undefined
    },
    get whenClosed() {
      return endWriter.told
    },
    start(kind, id, metadata) {
      metadataBuffer.set(id, metadata)
      return emit({ type: kind === 'text' ? 'text.started' : 'reasoning.started', partId: id })
    },
    delta(kind, id, delta, metadata) {
      metadataBuffer.set(id, metadata)
      return emit({ type: kind === 'text' ? 'text.delta' : 'reasoning.delta', partId: id, delta })
    },
    end(kind, id, metadata) {
      metadataBuffer.set(id, metadata)
      const own = toProviderField(modelInfo().provider, { metadata: metadataBuffer.take(id) })
      return emit({ type: kind === 'text' ? 'text.ended' : 'reasoning.ended', partId: id, ...own })
    },
    ...createCallWriter(options, emit, calls),
    finish(reason, reported) {
      end = { reason: toFinishReason(reason), spent: reported }
    },
    fail(error) {
      throw failure(error)
    },
    close(isLimit) {
      const reason = isLimit ? 'step-limit' : (end?.reason ?? 'other')
      const usage = toUsage(end?.spent, () => ({
        input: instructions + JSON.stringify(prompt),
        output: outputText(answer.message.parts.slice(partsBefore)),
      }))
      endWriter.tell({ type: 'step.finished', reason, usage })
    },
  }
}

/** Reports the step's calls, and has each run once it is complete. */
function createCallWriter(
  { number, modelInfo }: StepOptions,
  emit: (event: EngineEvent) => MaybePromise,
  calls: StepCalls,
): Pick<Step, 'startCall' | 'callDelta' | 'call'> {
  const ids = createCallIds(number)
  return {
    startCall: (id, tool) => emit({ type: 'tool.started', callId: ids.open(id), tool }),
    callDelta: (id, delta) => emit({ type: 'tool.delta', callId: ids.open(id), delta }),
    call(id, tool, input, metadata) {
      const callId = ids.complete(id)
      const inputJson = 'value' in input ? input.value : input.unreadable
      const own = toProviderField(modelInfo().provider, { callId: id, metadata })
      const applyAndEmit = emit({ type: 'tool.called', callId, tool, input: inputJson, ...own })
      const run = (): void => calls.run({ callId, tool, input })
      return applyAndEmit ? applyAndEmit.then(run) : run()
    },
  }
}

/** All that a model has written, as far as tokens are counted by it. */
function outputText(parts: readonly AssistantPart[]): string {
  const words = parts.map((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return part.text
    return part.type === 'tool' ? JSON.stringify(part.input ?? '') : ''
  })
  return words.join('')
}

/** Writes the last event of a step, without waiting for the host. */
function createEndWriter(emit: (event: EngineEvent) => MaybePromise) {
  const last = { told: Promise.resolve() }
  return {
    get told() {
      return last.told
    },
    tell(event: EngineEvent): void {
      const telling = async (): Promise<void> => emit(event)
      last.told = telling()
      // It may fail long before anybody waits for it.
      last.told.catch(() => undefined)
    },
  }
}

/** Only with its first word is it sure which model of a chain answers, or that one does. */
function createEmitter({ host, answer, modelInfo }: StepOptions): (event: EngineEvent) => MaybePromise {
  let hasBegun = false
  const applyAndEmit = (event: EngineEvent): MaybePromise => {
    answer.apply(event)
    return host.emit(event)
  }
  const begin = async (first: EngineEvent): Promise<void> => {
    hasBegun = true
    await applyAndEmit({ type: 'step.started', model: modelInfo().name })
    if (!host.signal.aborted) await applyAndEmit(first)
  }
  return (event) => (hasBegun ? applyAndEmit(event) : begin(event))
}
