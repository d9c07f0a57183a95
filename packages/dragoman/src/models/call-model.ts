import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { loopTurns } from '../async/index.ts'
import type { ServiceError } from '../errors.ts'
import { callsInTextError, isCallText, refuseCallsInText } from './calls-in-text.ts'
import { createCallBill, type ChargeCall } from './call-bill.ts'
import { keepReasoning } from './chat-reasoning.ts'
import { checkAnswer, createAnswerCheck, type AnswerCheck } from './check-answer.ts'
import { requestFor } from './request-for.ts'
import { hasContent } from './has-content.ts'
import { hasSpoken } from './has-spoken.ts'
import { incompleteAnswerError } from './model-failure.ts'
import { mergeDeltas, splitDeltas } from './merge-deltas.ts'
import { readModelUsage } from './read-model-usage.ts'
import type { ProviderApi } from './provider-api.ts'
import { passOverBadEvents } from './pass-over-bad-events.ts'
import type { Remedies } from './remedy.ts'
import { scopeMetadata } from './scope-metadata.ts'
import { separateContent, separateThoughts } from './separate-thoughts.ts'
import type { ThoughtTags } from './thought-tags.ts'
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
  /** Absent for most model objects: these get all files. */
  readonly api?: ProviderApi
  readonly idleTimeoutMs: number
  /** Tokens that it can read. */
  readonly contextWindow: number
  /** The maximum number of tool calls in one answer. */
  readonly callsPerStep: number
  /** Whether reasoning comes without a signature and goes back nevertheless. */
  readonly keepsReasoning?: boolean
  /** The tags of thoughts in its text, if it may write them there. */
  readonly thoughtTags?: ThoughtTags
  /** Whether its provider stores the items of answers, and refers to them, unless it is told not to. */
  readonly keepsItems?: boolean
  /** What it needs, which outlives the run. */
  readonly remedies?: Remedies
  /** Gets a sentence for what is passed over in an answer. */
  readonly warn: (problem: string) => void
  load(): Promise<LanguageModelV4>
  failure(error: unknown): ServiceError
}

/** `mayBeSilent`: an empty answer is taken as it is if the model has said its words before. */
export type Attempt = { readonly charge: ChargeCall; readonly mayBeSilent: boolean }

/**
 * Calls one model once. Resolves with the first output, so the call can be retried elsewhere if it fails before
 * that. After that, a failure, a timeout or a missing finish is an error of the stream, as a ServiceError.
 */
export async function streamOnce(
  endpoint: ModelEndpoint,
  options: LanguageModelV4CallOptions,
  { charge, mayBeSilent }: Attempt,
): Promise<StreamResult> {
  const watch = createWatchdog(endpoint.idleTimeoutMs, options.abortSignal)
  const bill = createCallBill(watch)
  try {
    const model = await endpoint.load()
    watch.signal.throwIfAborted()
    bill.open(charge)
    const { request, restore } = requestFor(endpoint, options, watch.signal)
    const answer = await runWatched(watch, model.doStream(request))
    bill.accept()
    const reader = answer.stream.getReader()
    // A provider may ignore the signal. If it does not, the error is reported elsewhere.
    const close = (): void => void reader.cancel().catch(() => undefined)
    watch.signal.addEventListener('abort', close, { once: true })
    const readPart = async (): Promise<{ value?: Part | undefined }> => {
      const { value } = await reader.read()
      return { value: value && restore(value) }
    }
    const read = splitDeltas(mergeDeltas(endpoint.keepsReasoning ? keepReasoning(readPart) : readPart))
    const parts = {
      endpoint,
      watch,
      next: readWords(passOverBadEvents(read, endpoint), endpoint, options),
      ...createAnswerCheck(endpoint, options.prompt, mayBeSilent),
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
  { charge, mayBeSilent }: Attempt,
): Promise<GenerateResult> {
  const watch = createWatchdog(endpoint.idleTimeoutMs, options.abortSignal)
  const bill = createCallBill(watch)
  try {
    const model = await endpoint.load()
    watch.signal.throwIfAborted()
    bill.open(charge)
    const { request, restore } = requestFor(endpoint, options, watch.signal)
    const answer = await runWatched(watch, model.doGenerate(request))
    bill.accept(readModelUsage(answer.usage))
    const { thoughtTags, name } = endpoint
    const whole = answer.content.map(restore)
    const content = thoughtTags ? separateContent(whole, answer, thoughtTags) : whole
    const words = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const hasCall = content.some(({ type }) => type === 'tool-call')
    if (hasTools(options) && !hasCall && isCallText(words)) throw callsInTextError(name, words)
    return {
      ...scopeMetadata(answer, endpoint),
      finishReason: checkAnswer(
        endpoint,
        answer.finishReason,
        content,
        mayBeSilent && hasSpoken(options.prompt),
      ),
      content: content.map((part) => scopeMetadata(part, endpoint)),
    }
  } catch (error) {
    bill.fail(error)
    throw error
  } finally {
    watch.stop()
  }
}

/** Tells thoughts and unread calls from the words of a model. */
function readWords(
  read: () => Promise<Part | undefined>,
  { thoughtTags, name }: ModelEndpoint,
  options: LanguageModelV4CallOptions,
): () => Promise<Part | undefined> {
  const separated = thoughtTags ? separateThoughts(read, thoughtTags) : read
  return hasTools(options) ? refuseCallsInText(separated, name) : separated
}

function hasTools({ tools }: LanguageModelV4CallOptions): boolean {
  return tools !== undefined && tools.length > 0
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
type PartReader = AnswerCheck & {
  readonly endpoint: ModelEndpoint
  readonly watch: Watchdog
  readonly next: () => Promise<Part | undefined>
}

/** Reads all parts up to the first one with content. Each of them restarts the idle timeout. */
async function readUntilContent({ endpoint, watch, next, check }: PartReader): Promise<Part[]> {
  const parts: Part[] = []
  const turn = loopTurns()
  for (;;) {
    const part = check(await next())
    watch.wait(true)
    if (part) parts.push(part)
    if (!part || part.type === 'finish' || hasContent(part)) return parts
    if (parts.length > MAX_PARTS_WITHOUT_CONTENT) throw incompleteAnswerError(endpoint.name)
    await turn()
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
