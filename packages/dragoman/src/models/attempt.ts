import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'
import { withCacheMarks } from './cache-marks.ts'
import { brokeOff } from './failure.ts'
import { joinedDeltas } from './joined-deltas.ts'
import { named, namedPart, promptFor } from './own-metadata.ts'
import { watchdog, type Watchdog } from './watchdog.ts'

type Part = LanguageModelV4StreamPart
type Streamed = Awaited<ReturnType<LanguageModelV4['doStream']>>
type Generated = Awaited<ReturnType<LanguageModelV4['doGenerate']>>

/** A model that can be asked, at one address. */
export type Member = {
  readonly name: string
  readonly provider: string
  readonly namespace?: string
  readonly silenceMs: number
  /** Tokens that it can read. */
  readonly contextWindow: number
  /** Tool calls of one answer, at most. */
  readonly callsPerStep: number
  load(): Promise<LanguageModelV4>
  failure(error: unknown): ServiceError
}

/**
 * Asks one model once. Resolves with its first word, so whatever fails before that fails here, and may be tried again elsewhere.
 * Afterwards a failure, a silence, or an end without a word of the end is an error of the stream: one of ours.
 */
export async function attemptStream(member: Member, options: LanguageModelV4CallOptions): Promise<Streamed> {
  const watch = watchdog(member.silenceMs, options.abortSignal)
  try {
    const model = await member.load()
    watch.signal.throwIfAborted()
    const answer = await watched(watch, model.doStream(requestFor(member, options, watch)))
    const reader = answer.stream.getReader()
    // A provider may not heed the signal. One that does has an error, which is told elsewhere.
    const close = (): void => void reader.cancel().catch(() => undefined)
    watch.signal.addEventListener('abort', close, { once: true })
    const said = { member, watch, next: joinedDeltas(() => reader.read()), ...checkOf(member) }
    return { ...answer, stream: streamOf(said, await watched(watch, firstWords(said))) }
  } catch (error) {
    watch.stop(error)
    throw error
  }
}

/** Asks one model once for the whole of an answer. */
export async function attemptWhole(member: Member, options: LanguageModelV4CallOptions): Promise<Generated> {
  const watch = watchdog(member.silenceMs, options.abortSignal)
  try {
    const model = await member.load()
    watch.signal.throwIfAborted()
    const answer = await watched(watch, model.doGenerate(requestFor(member, options, watch)))
    if (isBrokenOff(answer)) throw brokeOff(member.name)
    return { ...named(answer, member), content: answer.content.map((part) => named(part, member)) }
  } finally {
    watch.stop()
  }
}

function requestFor(
  member: Member,
  options: LanguageModelV4CallOptions,
  { signal }: Watchdog,
): LanguageModelV4CallOptions {
  const own = { ...options, prompt: promptFor(options.prompt, member), abortSignal: signal }
  return withCacheMarks(own, member.namespace ?? member.provider.split('.')[0])
}

/** The work's result, or the reason why it is not waited for any longer. */
async function watched<T>(watch: Watchdog, work: PromiseLike<T>): Promise<T> {
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

/** What one model says: part by part, each to be checked, undefined at the end. */
type Said = {
  readonly member: Member
  readonly watch: Watchdog
  readonly next: () => Promise<Part | undefined>
  readonly check: (part: Part | undefined) => Part | undefined
  /** Whether its end was told. */
  readonly finished: () => boolean
}

/** Throws where a part says that something went wrong, and where the end comes and nothing has said that all went well. */
function checkOf(member: Member): Pick<Said, 'check' | 'finished'> {
  let finished = false
  const calls = new Set<string>()
  let called = 0
  return {
    finished: () => finished,
    check(part) {
      if (!part && !finished) throw brokeOff(member.name)
      if (part?.type === 'tool-input-start') calls.add(part.id)
      if (part?.type === 'tool-call') called += 1
      if (Math.max(calls.size, called) > member.callsPerStep) throw tooManyCalls(member)
      if (part?.type === 'error') throw part.error
      if (part?.type === 'finish') {
        if (isBrokenOff(part)) throw brokeOff(member.name)
        finished = true
      }
      return part && namedPart(part, member)
    },
  }
}

function tooManyCalls({ name, callsPerStep }: Member): ServiceError {
  const message = `The model ${name} made more than ${callsPerStep} tool calls in one step (limits.callsPerStep).`
  const chinese = `模型 ${name} 一次调用的工具太多了，这次回答停在这里。`
  return new ServiceError('model-refused', message, { translations: { zh: chinese } })
}

/** The packages make an end of their own where the provider gave none; it has no name of the provider's. */
function isBrokenOff({ finishReason: { unified, raw } }: Pick<Generated, 'finishReason'>): boolean {
  return unified === 'error' || (raw === undefined && (unified === 'other' || unified === 'interrupted'))
}

/** All parts up to the first that says something. Each of them is a sign of life. */
async function firstWords({ watch, next, check }: Said): Promise<Part[]> {
  const parts: Part[] = []
  for (;;) {
    const part = check(await next())
    watch.wait(true)
    if (part) parts.push(part)
    if (!part || says(part)) return parts
  }
}

function says(part: Part): boolean {
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

/** What was heard and what will be, pulled by its reader part by part. */
function streamOf({ member, watch, next, check, finished }: Said, heard: Part[]): ReadableStream<Part> {
  const { signal } = watch
  return new ReadableStream<Part>(
    {
      start(controller) {
        const tell = (): void =>
          controller.error(isTimeOut(signal) ? member.failure(signal.reason) : signal.reason)
        signal.addEventListener('abort', tell, { once: true })
      },
      async pull(controller) {
        try {
          watch.wait(true)
          const part = heard.shift() ?? check(await next())
          watch.wait(false)
          if (part) return controller.enqueue(part)
          controller.close()
          watch.stop()
        } catch (error) {
          if (finished()) controller.close()
          else controller.error(member.failure(error))
          watch.stop(error)
        }
      },
      cancel: (reason) => watch.stop(reason),
    },
    { highWaterMark: 0 },
  )
}

function isTimeOut({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}
