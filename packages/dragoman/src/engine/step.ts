import type {
  AssistantPart,
  FileEvent,
  FinishReason,
  Json,
  SourceEvent,
  UserMessage,
} from '../events/index.ts'
import type { ModelInfo } from '../models/index.ts'
import type { AnswerBuilder } from './answer-builder.ts'
import { createCallIds } from './call-ids.ts'
import type { CallHooks, CallInput, EngineEvent, EngineHost, EngineTool } from '../agents/index.ts'
import { createEndWriter } from './end-writer.ts'
import type { PromptMessage } from './prompt.ts'
import { openProviderCall, toOutcome, type ProviderOutcome } from './provider-calls.ts'
import { createMetadataBuffer, toProviderField } from './provider-metadata.ts'
import { toFinishReason, toUsage, type ReportedUsage } from './reported-usage.ts'
import { replaceFiles } from './result-files.ts'
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
  readonly tools: readonly EngineTool[]
  /** Messages that the user sent since the step before. They are in the prompt. */
  readonly userMessages: readonly UserMessage[]
  readonly calls: StepCalls
  /** The output of the model so far. */
  readonly parts: readonly AssistantPart[]
  /** Why the model may call no tool in this step. */
  readonly textOnlyReason?: TextOnlyReason
  /**
   * How the model has ended it, once it has. After `paused`, its provider goes on when it gets the answer back.
   */
  readonly ended: 'whole' | 'paused' | undefined
  start(kind: Kind, id: string, metadata: unknown): MaybePromise
  delta(kind: Kind, id: string, delta: string, metadata: unknown): MaybePromise
  end(kind: Kind, id: string, metadata: unknown): MaybePromise
  source(source: Omit<SourceEvent, 'type' | 'provider'>, metadata: unknown): MaybePromise
  custom(kind: string, metadata: unknown): MaybePromise
  /** A file that the model made: its content, or where its provider keeps it. */
  file(file: ModelFile): Promise<void>
  startCall(id: string, tool: string, by?: 'provider'): MaybePromise
  callDelta(id: string, delta: string): MaybePromise
  call(id: string, tool: string, input: CallInput, metadata: unknown): MaybePromise
  /** A call that the provider runs, and does not leave to the host. */
  providerCall(id: string, tool: string, input: CallInput, metadata: unknown): MaybePromise
  /** The outcome of such a call. */
  providerOutcome(id: string, outcome: ProviderOutcome): Promise<void>
  finish(reason: string, reported: ReportedUsage, isPaused?: boolean): void
  /** @throws ServiceError for an error of the model */
  fail(error: unknown): never
  /** Reports the end. `isLimit`: the steps are used up. */
  close(isLimit: boolean): void
  /** Resolves once the end is written, after the outcomes of the calls. @throws what the host threw */
  readonly whenClosed: Promise<void>
}

export type ModelFile = Pick<FileEvent, 'kind' | 'mediaType'> & {
  readonly content: Uint8Array | URL
  readonly metadata: unknown
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
  readonly tools: readonly EngineTool[]
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
  const { answer, instructions, prompt, tools, userMessages, textOnlyReason, modelInfo, failure } = options
  const partsBefore = answer.message.parts.length
  const calls = createStepCalls(options)
  const metadataBuffer = createMetadataBuffer()
  const emit = createEmitter(options)
  const endWriter = createEndWriter(emit)
  let end:
    | { readonly reason: FinishReason; readonly spent: ReportedUsage; readonly isPaused: boolean }
    | undefined
  return {
    instructions,
    prompt,
    tools,
    userMessages,
    calls,
    ...(textOnlyReason && { textOnlyReason }),
    get parts() {
      return answer.message.parts.slice(partsBefore)
    },
    get ended() {
      return end && (end.isPaused ? 'paused' : 'whole')
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
    ...createFileWriter(options, emit),
    ...createCallWriter(options, emit, calls),
    finish(reason, reported, isPaused = false) {
      // It pauses at calls of its own.
      end = { reason: isPaused ? 'tool-calls' : toFinishReason(reason), spent: reported, isPaused }
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

/** Reports what the provider adds to the words of its model. */
function createFileWriter(
  { host, modelInfo }: StepOptions,
  emit: (event: EngineEvent) => MaybePromise,
): Pick<Step, 'source' | 'custom' | 'file'> {
  return {
    source: (source, metadata) =>
      emit({ type: 'source', ...source, ...toProviderField(modelInfo().provider, { metadata }) }),
    custom: (kind, metadata) =>
      emit({ type: 'custom', kind, ...toProviderField(modelInfo().provider, { metadata }) }),
    async file({ kind, mediaType, content, metadata }) {
      const url = content instanceof URL ? content.href : await host.saveFile({ mediaType, content })
      const own = {
        name: modelInfo().provider,
        ...(metadata !== undefined && { metadata: metadata as Json }),
      }
      await emit({ type: 'file', url, mediaType, kind, provider: own })
    },
  }
}

/** Reports the step's calls, and has each run once it is complete. */
function createCallWriter(
  { host, number, modelInfo, answer }: StepOptions,
  emit: (event: EngineEvent) => MaybePromise,
  calls: StepCalls,
): Pick<Step, 'startCall' | 'callDelta' | 'call' | 'providerCall' | 'providerOutcome'> {
  const ids = createCallIds(number)
  return {
    startCall: (id, tool, by) =>
      emit({ type: 'tool.started', callId: ids.open(id), tool, ...(by && { by }) }),
    callDelta: (id, delta) => emit({ type: 'tool.delta', callId: ids.open(id), delta }),
    call(id, tool, input, metadata) {
      const callId = ids.complete(id)
      const inputJson = 'value' in input ? input.value : input.unreadable
      const own = toProviderField(modelInfo().provider, { callId: id, metadata })
      const applyAndEmit = emit({ type: 'tool.called', callId, tool, input: inputJson, ...own })
      const run = (): void => calls.run({ callId, tool, input })
      return applyAndEmit ? applyAndEmit.then(run) : run()
    },
    providerCall(id, tool, input, metadata) {
      const own = toProviderField(modelInfo().provider, { callId: id, metadata })
      const inputJson = 'value' in input ? input.value : input.unreadable
      return emit({
        type: 'tool.called',
        callId: ids.complete(id),
        tool,
        input: inputJson,
        ...own,
        by: 'provider',
      })
    },
    async providerOutcome(id, outcome) {
      const { provider: name } = modelInfo()
      const callId = ids.completed(id) ?? openProviderCall(answer.message.parts, id, name)
      if (callId === undefined) return
      const result = await replaceFiles(outcome.result, async (file) => {
        const url = await host.saveFile(file)
        const { mediaType } = file
        await emit({ type: 'file', url, mediaType, kind: 'output', callId, provider: { name } })
        return url
      })
      await emit(toOutcome(callId, name, { ...outcome, result }))
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
