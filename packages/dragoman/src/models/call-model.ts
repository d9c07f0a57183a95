import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { loopTurns } from '../async/index.ts'
import { ServiceError } from '../errors.ts'
import { addCacheControl } from './cache-control.ts'
import { createCallBill, type ChargeCall } from './call-bill.ts'
import { keepReasoning, returnReasoning } from './chat-reasoning.ts'
import { incompleteAnswerError } from './model-failure.ts'
import { mergeDeltas } from './merge-deltas.ts'
import { readModelUsage } from './read-model-usage.ts'
import { passOverBadEvents } from './pass-over-bad-events.ts'
import { scopeMetadata, scopePartMetadata, scopePrompt } from './scope-metadata.ts'
import { withoutStoredItems } from './stateless-responses.ts'
import { toWellFormed } from './well-formed.ts'
import { createWatchdog, type Watchdog } from './watchdog.ts'

type Part = LanguageModelV4StreamPart

/** They are held until the model's first word: pings, metadata, empty deltas. */
const MAX_PARTS_WITHOUT_CONTENT = 10_000
type StreamResult = Awaited<ReturnType<LanguageModelV4['doStream']>>
type GenerateResult = Awaited<ReturnType<LanguageModelV4['doGenerate']>>

/** A model at one address. */
export type ModelEndpoint = {
  readonly name: string
  readonly provider: string
  readonly namespace?: string
  readonly idleTimeoutMs: number
  /** Tokens that it can read. */
  readonly contextWindow: number
  /** The maximum number of tool calls in one answer. */
  readonly callsPerStep: number
  /** Whether reasoning comes without a signature and goes back nevertheless. */
  readonly keepsReasoning?: boolean
  /** Whether its provider stores the items of answers, and refers to them, unless it is told not to. */
  readonly keepsItems?: boolean
  /** Gets a sentence for what is passed over in an answer. */
  readonly warn: (problem: string) => void
  load(): Promise<LanguageModelV4>
  failure(error: unknown): ServiceError
}

/**
 * Calls one model once. Resolves with the first output, so the call can be retried elsewhere if it fails before
 * that. After that, a failure, a timeout or a missing finish is an error of the stream, as a ServiceError.
 */
export async function streamOnce(
  endpoint: ModelEndpoint,
  options: LanguageModelV4CallOptions,
  charge: ChargeCall,
): Promise<StreamResult> {
  const watch = createWatchdog(endpoint.idleTimeoutMs, options.abortSignal)
  const bill = createCallBill(watch)
  try {
    const model = await endpoint.load()
    watch.signal.throwIfAborted()
    bill.open(charge)
    const answer = await runWatched(watch, model.doStream(requestFor(endpoint, options, watch)))
    bill.accept()
    const reader = answer.stream.getReader()
    // A provider may ignore the signal. If it does not, the error is reported elsewhere.
    const close = (): void => void reader.cancel().catch(() => undefined)
    watch.signal.addEventListener('abort', close, { once: true })
    const readPart = (): Promise<{ value?: Part | undefined }> => reader.read()
    const read = mergeDeltas(endpoint.keepsReasoning ? keepReasoning(readPart) : readPart)
    const parts = {
      endpoint,
      watch,
      next: passOverBadEvents(read, endpoint),
      ...createPartCheck(endpoint),
    }
    return { ...answer, stream: toStream(parts, await runWatched(watch, readUntilContent(parts))) }
  } catch (error) {
    bill.fail(error)
    watch.stop(error)
    throw error
  }
}

/** Calls one model once, for the whole answer at once. */
export async function generateOnce(
  endpoint: ModelEndpoint,
  options: LanguageModelV4CallOptions,
  charge: ChargeCall,
): Promise<GenerateResult> {
  const watch = createWatchdog(endpoint.idleTimeoutMs, options.abortSignal)
  const bill = createCallBill(watch)
  try {
    const model = await endpoint.load()
    watch.signal.throwIfAborted()
    bill.open(charge)
    const answer = await runWatched(watch, model.doGenerate(requestFor(endpoint, options, watch)))
    bill.accept(readModelUsage(answer.usage))
    if (isIncomplete(answer)) throw incompleteAnswerError(endpoint.name)
    return {
      ...scopeMetadata(answer, endpoint),
      content: answer.content.map((part) => scopeMetadata(part, endpoint)),
    }
  } catch (error) {
    bill.fail(error)
    throw error
  } finally {
    watch.stop()
  }
}

function requestFor(
  endpoint: ModelEndpoint,
  options: LanguageModelV4CallOptions,
  { signal }: Watchdog,
): LanguageModelV4CallOptions {
  const scoped = toWellFormed(scopePrompt(options.prompt, endpoint))
  const { keepsReasoning = false, keepsItems = false } = endpoint
  const namespace = endpoint.namespace ?? endpoint.provider.split('.')[0] ?? endpoint.provider
  const prompt = keepsReasoning ? scoped.flatMap(returnReasoning) : scoped
  const own = { ...options, prompt, includeRawChunks: keepsReasoning, abortSignal: signal }
  return keepsItems ? withoutStoredItems(own, namespace) : addCacheControl(own, namespace)
}

/** The work's result, or the reason why it is not waited for any longer. */
async function runWatched<T>(watch: Watchdog, work: PromiseLike<T>): Promise<T> {
  const { signal } = watch
  const { promise, reject } = Promise.withResolvers<never>()
  const giveUp = (): void => reject(signal.reason)
  signal.addEventListener('abort', giveUp, { once: true })
  watch.wait(true)
  try {
    return await Promise.race([promise, work])
  } finally {
    watch.wait(false)
    signal.removeEventListener('abort', giveUp)
  }
}

/** The stream of one model, part by part. Each part must be checked. Undefined at the end. */
type PartReader = {
  readonly endpoint: ModelEndpoint
  readonly watch: Watchdog
  readonly next: () => Promise<Part | undefined>
  readonly check: (part: Part | undefined) => Part | undefined
  /** Whether the finish part has arrived. */
  readonly isFinished: () => boolean
}

/** Throws for an error part, and for an end without a finish part. */
function createPartCheck(endpoint: ModelEndpoint): Pick<PartReader, 'check' | 'isFinished'> {
  let isFinished = false
  const calls = new Set<string>()
  let callCount = 0
  return {
    isFinished: () => isFinished,
    check(part) {
      if (!part && !isFinished) throw incompleteAnswerError(endpoint.name)
      if (part?.type === 'tool-input-start') calls.add(part.id)
      if (part?.type === 'tool-call') callCount += 1
      if (Math.max(calls.size, callCount) > endpoint.callsPerStep) throw tooManyCallsError(endpoint)
      if (part?.type === 'error') throw part.error
      if (part?.type === 'finish') {
        if (isIncomplete(part)) throw incompleteAnswerError(endpoint.name)
        isFinished = true
      }
      return part && scopePartMetadata(part, endpoint)
    },
  }
}

function tooManyCallsError({ name, callsPerStep }: ModelEndpoint): ServiceError {
  const message = `The model ${name} made more than ${callsPerStep} tool calls in one step (limits.callsPerStep).`
  const chinese = `模型 ${name} 一次调用的工具太多了，这次回答停在这里。`
  return new ServiceError('model-refused', message, { translations: { zh: chinese } })
}

/** If the provider sent no finish, the packages create one without the provider's own reason. */
function isIncomplete({ finishReason: { unified, raw } }: Pick<GenerateResult, 'finishReason'>): boolean {
  return unified === 'error' || (raw === undefined && (unified === 'other' || unified === 'interrupted'))
}

/** Reads all parts up to the first one with content. Each of them restarts the idle timeout. */
async function readUntilContent({ endpoint, watch, next, check }: PartReader): Promise<Part[]> {
  const parts: Part[] = []
  const turn = loopTurns()
  for (;;) {
    const part = check(await next())
    watch.wait(true)
    if (part) parts.push(part)
    if (!part || hasContent(part)) return parts
    if (parts.length > MAX_PARTS_WITHOUT_CONTENT) throw incompleteAnswerError(endpoint.name)
    await turn()
  }
}

function hasContent(part: Part): boolean {
  switch (part.type) {
    case 'stream-start':
    case 'response-metadata':
    case 'text-start':
    case 'reasoning-start':
    case 'custom':
    case 'ping':
    case 'raw':
      return false
    case 'text-delta':
    case 'reasoning-delta':
      return part.delta !== ''
    default:
      return true
  }
}

/** The buffered parts and the rest of the stream, as its reader pulls. */
function toStream(
  { endpoint, watch, next, check, isFinished }: PartReader,
  buffer: Part[],
): ReadableStream<Part> {
  const { signal } = watch
  return new ReadableStream<Part>(
    {
      start(controller) {
        const abort = (): void =>
          controller.error(isTimeout(signal) ? endpoint.failure(signal.reason) : signal.reason)
        signal.addEventListener('abort', abort, { once: true })
      },
      async pull(controller) {
        try {
          watch.wait(true)
          const part = buffer.shift() ?? check(await next())
          watch.wait(false)
          if (part) return controller.enqueue(part)
          controller.close()
          watch.stop()
        } catch (error) {
          if (isFinished()) controller.close()
          else controller.error(endpoint.failure(error))
          watch.stop(error)
        }
      },
      cancel: (reason) => watch.stop(reason),
    },
    { highWaterMark: 0 },
  )
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}
