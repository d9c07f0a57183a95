import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { toFailure, type ServiceError } from '../errors.ts'
import type { CallMeter } from '../events/index.ts'
import type { ChargeCall } from './call-bill.ts'
import { streamOnce, generateOnce, type ModelEndpoint } from './call-model.ts'
import { maxInputTokens } from './context-window.ts'
import { fitContext } from './fit-context.ts'
import { createReasoningFallback } from './reasoning-fallback.ts'

/** Each pause between tries is twice as long as the one before, up to this. */
const MAX_PAUSE_MS = 30_000
/** If a provider asks for a longer pause than this, the call fails instead. */
const MAX_RETRY_AFTER_SECONDS = 60

/** What the server tries before a failure is reported. */
export type RetryPolicy = {
  /** Tries after the first, of each model. */
  readonly retries: number
  /** The pause before the first retry in ms, unless the provider asks for another one. */
  readonly retryDelayMs: number
  /** Whether the next model is called after this failure. */
  usesFallback(failure: ServiceError): boolean
}

/** Callbacks that report on an answer while it is made. */
export type ModelCallbacks = {
  /** Which model answers, before the first part of its answer. */
  readonly onModel: (by: ModelEndpoint) => void
  /** The seconds before the next try, if the provider asks for a pause. */
  readonly onWait?: ((seconds: number) => void) | undefined
  /** Counts each try. Without it, no user pays. */
  readonly meter?: CallMeter | undefined
}

/** The models in order of preference. */
export type Chain = readonly [ModelEndpoint, ...ModelEndpoint[]]

/**
 * Creates one model from a chain. If a model fails before its first output, it is retried where that may help,
 * and then the next one is called. After the first output a failure is reported, because output cannot be taken
 * back. All errors are ServiceErrors, or the reason of the caller's own abort.
 */
export async function createResilientModel(
  chain: Chain,
  retryPolicy: RetryPolicy,
  { onModel, onWait, meter = unmetered }: ModelCallbacks,
): Promise<LanguageModelV4> {
  const { provider, modelId, supportedUrls } = await chain[0].load()
  const callFitted = createContextFitter(meter)
  const callReasoning = createReasoningFallback()
  const ask = async <T>(options: LanguageModelV4CallOptions, attempt: Attempt<T>): Promise<T> => {
    const failures: ServiceError[] = []
    for (const endpoint of chain) {
      const outcome = await callWithRetries(
        () => callReasoning((request) => callFitted(attempt, endpoint, request), endpoint, options),
        endpoint,
        retryPolicy,
        {
          signal: options.abortSignal,
          onWait,
          meter,
        },
      )
      if ('answer' in outcome) {
        onModel(endpoint)
        return outcome.answer
      }
      failures.push(outcome.failure)
      if (!retryPolicy.usesFallback(outcome.failure) || meter.hasRoom === false) break
    }
    throw failures.find((failure) => toFailure(failure).retryable) ?? failures[0]
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    supportedUrls,
    doStream: (options) => ask(options, streamOnce),
    doGenerate: (options) => ask(options, generateOnce),
  }
}

const unmetered: CallMeter = { charge: () => () => undefined }

type Attempt<T> = (
  endpoint: ModelEndpoint,
  options: LanguageModelV4CallOptions,
  charge: ChargeCall,
) => Promise<T>

/** So often a request is halved: from the window of an unknown model, 128,000 tokens, down to 8,000. */
const MAX_HALVINGS = 4

/**
 * Fits requests into the context window. If a model still finds a request too long, it gets half of it, and half of
 * that, and no more than what it took from then on. What a model finds too long costs nothing.
 */
function createContextFitter(meter: CallMeter) {
  const learnedLimits = new Map<ModelEndpoint, number>()
  return async <T>(
    attempt: Attempt<T>,
    endpoint: ModelEndpoint,
    options: LanguageModelV4CallOptions,
  ): Promise<T> => {
    const maxTokens =
      learnedLimits.get(endpoint) ?? maxInputTokens(endpoint.contextWindow, options.maxOutputTokens)
    let fitted = fitContext(options, maxTokens)
    for (let halvings = 0; ; halvings++) {
      const { request, tokens: inputTokens } = fitted
      try {
        return await attempt(endpoint, request, () => meter.charge({ model: endpoint.name, inputTokens }))
      } catch (error) {
        if (options.abortSignal?.aborted || endpoint.failure(error).code !== 'context-full') throw error
        const half = Math.floor(inputTokens / 2)
        const shorter = fitContext(options, half)
        const isLast = halvings === MAX_HALVINGS || meter.hasRoom === false
        if (isLast || shorter.tokens >= inputTokens) throw error
        learnedLimits.set(endpoint, half)
        fitted = shorter
      }
    }
  }
}

type Outcome<T> = { readonly answer: T } | { readonly failure: ServiceError }

/** Calls until a call succeeds, or until a retry would not help. @throws the signal's reason */
async function callWithRetries<T>(
  attempt: () => Promise<T>,
  endpoint: ModelEndpoint,
  retryPolicy: RetryPolicy,
  {
    signal,
    onWait,
    meter,
  }: Pick<ModelCallbacks, 'onWait' | 'meter'> & { readonly signal: AbortSignal | undefined },
): Promise<Outcome<T>> {
  for (let retry = 0; ; retry++) {
    try {
      return { answer: await attempt() }
    } catch (error) {
      signal?.throwIfAborted()
      const failure = endpoint.failure(error)
      const ms = pauseAfter(failure, retry, retryPolicy)
      if (ms === undefined || meter?.hasRoom === false) return { failure }
      if (failure.retryAfter !== undefined) onWait?.(failure.retryAfter)
      await pause(ms, signal)
    }
  }
}

/** The ms until the next try; undefined if a retry would fail too, or if the pause is too long. */
function pauseAfter(
  failure: ServiceError,
  retry: number,
  { retries, retryDelayMs }: RetryPolicy,
): number | undefined {
  if (retry >= retries || !toFailure(failure).retryable) return undefined
  const { retryAfter } = failure
  if (retryAfter === undefined) return Math.min(retryDelayMs * 2 ** retry, MAX_PAUSE_MS)
  return retryAfter > MAX_RETRY_AFTER_SECONDS ? undefined : retryAfter * 1000
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
