import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { toFailure, type ServiceError } from '../errors.ts'
import { attemptStream, attemptWhole, type Member } from './attempt.ts'
import { maxInputTokens } from './context-window.ts'
import { fitContext, tokensOf } from './fit-context.ts'

/** Each pause between tries is twice as long as the one before, up to this. */
const LONGEST_PAUSE_MS = 30_000
/** A provider that asks for a longer pause than this is not waited for. */
const LONGEST_WISH_SECONDS = 60

/** How much is done before a failure is told. */
export type Patience = {
  /** Tries after the first, of each model. */
  readonly retries: number
  /** Before the first of them, in ms, where the provider asks for none. */
  readonly retryDelayMs: number
  /** Whether another model is asked after this failure. */
  movesOn(failure: ServiceError): boolean
}

/** Callbacks that report on an answer while it is made. */
export type Hearing = {
  /** Which model answers, before the first part of its answer. */
  readonly answered: (by: Member) => void
  /** How many seconds the server waits before it asks again, where the provider says it. */
  readonly waits?: ((seconds: number) => void) | undefined
}

/** Who is asked, the first choice first. */
export type Chain = readonly [Member, ...Member[]]

/**
 * One model made of several: where one fails before its first word, it is tried again if that may help, and then the next is asked.
 * After the first word a failure is told, for what was said cannot be taken back. Whatever it throws is a
 * ServiceError, or the reason of the caller's own abort.
 */
export async function resilient(
  chain: Chain,
  patience: Patience,
  { answered, waits }: Hearing,
): Promise<LanguageModelV4> {
  const { provider, modelId, supportedUrls } = await chain[0].load()
  const fitting = fitted()
  const ask = async <T>(options: LanguageModelV4CallOptions, attempt: Attempt<T>): Promise<T> => {
    const failures: ServiceError[] = []
    for (const member of chain) {
      const outcome = await insist(() => fitting(attempt, member, options), member, patience, {
        signal: options.abortSignal,
        waits,
      })
      if ('answer' in outcome) {
        answered(member)
        return outcome.answer
      }
      failures.push(outcome.failure)
      if (!patience.movesOn(outcome.failure)) break
    }
    throw failures.find((failure) => toFailure(failure).retryable) ?? failures[0]
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doStream: (options) => ask(options, attemptStream),
    doGenerate: (options) => ask(options, attemptWhole),
  }
}

type Attempt<T> = (member: Member, options: LanguageModelV4CallOptions) => Promise<T>

/**
 * Asks a model what fits its context window. One that finds it too long is asked once more with half of it, and from
 * then on with no
 * more than that.
 */
function fitted() {
  const learned = new Map<Member, number>()
  return async <T>(attempt: Attempt<T>, member: Member, options: LanguageModelV4CallOptions): Promise<T> => {
    const most = learned.get(member) ?? maxInputTokens(member.contextWindow, options.maxOutputTokens)
    const request = fitContext(options, most)
    try {
      return await attempt(member, request)
    } catch (error) {
      if (options.abortSignal?.aborted || member.failure(error).code !== 'context-full') throw error
      const half = Math.floor(tokensOf(request) / 2)
      const shorter = fitContext(options, half)
      if (tokensOf(shorter) >= tokensOf(request)) throw error
      learned.set(member, half)
      return attempt(member, shorter)
    }
  }
}

type Outcome<T> = { readonly answer: T } | { readonly failure: ServiceError }

/** Tries until it works, or until another try is of no use. @throws the signal's reason */
async function insist<T>(
  attempt: () => Promise<T>,
  member: Member,
  patience: Patience,
  { signal, waits }: Pick<Hearing, 'waits'> & { readonly signal: AbortSignal | undefined },
): Promise<Outcome<T>> {
  for (let retry = 0; ; retry++) {
    try {
      return { answer: await attempt() }
    } catch (error) {
      signal?.throwIfAborted()
      const failure = member.failure(error)
      const ms = pauseAfter(failure, retry, patience)
      if (ms === undefined) return { failure }
      if (failure.retryAfter !== undefined) waits?.(failure.retryAfter)
      await pause(ms, signal)
    }
  }
}

/** Milliseconds until the next try, or undefined where there should be none: it would be refused again, or is too far away. */
function pauseAfter(
  failure: ServiceError,
  retry: number,
  { retries, retryDelayMs }: Patience,
): number | undefined {
  if (retry >= retries || !toFailure(failure).retryable) return undefined
  const { retryAfter } = failure
  if (retryAfter === undefined) return Math.min(retryDelayMs * 2 ** retry, LONGEST_PAUSE_MS)
  return retryAfter > LONGEST_WISH_SECONDS ? undefined : retryAfter * 1000
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  const giveUp = (): void => reject(signal?.reason)
  signal?.addEventListener('abort', giveUp, { once: true })
  try {
    await promise
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
