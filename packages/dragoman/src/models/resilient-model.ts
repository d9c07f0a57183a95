import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { isServiceError, toFailure, type ErrorCode, type ServiceError } from '../errors.ts'
import type { CallMeter } from '../events/index.ts'
import { moveAnswerFiles } from './answer-files.ts'
import type { ChargeCall } from './call-bill.ts'
import { streamOnce, generateOnce, type Attempt, type ModelEndpoint } from './call-model.ts'
import { maxInputTokens } from './context-window.ts'
import { fitContext } from './fit-context.ts'
import { toChatMessages } from './chat-messages.ts'
import { createFileFallback } from './fit-files.ts'
import { createSettingFallback } from './setting-fallback.ts'

/** Each pause between tries is twice as long as the one before, up to this. */
const MAX_PAUSE_MS = 30_000
/** If a provider asks for a longer pause than this, the call fails instead. */
const MAX_RETRY_AFTER_SECONDS = 60

/** A shorter pause needs no notice. */
const MIN_NOTICE_MS = 1000

/** What the server tries before a failure is reported. */
export type RetryPolicy = {
  /** Tries after the first, of each model. */
  readonly retries: number
  /** The pause before the first retry in ms, unless the provider asks for another one. */
  readonly retryDelayMs: number
  /** Whether the next model is called after this failure. */
  usesFallback(failure: ServiceError): boolean
}

/** A pause before a model is asked again. It names no model: guests see it too. */
export type ModelWait = {
  /** In seconds. */
  readonly retryAfter: number
  /** Why the last try has failed. */
  readonly code: ErrorCode
  /** Which try follows, of `attempts` at most. The first one of all has the number 1. */
  readonly attempt: number
  readonly attempts: number
}

/** Callbacks that report on an answer while it is made. */
export type ModelCallbacks = {
  /** Which model answers, before the first part of its answer. */
  readonly onModel: (by: ModelEndpoint) => void
  /** A pause of a second or more begins. */
  readonly onWait?: ((wait: ModelWait) => void) | undefined
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
  // A provider that takes fewer addresses may be next in the chain.
  const isOneProvider = chain.every((endpoint) => endpoint.provider === chain[0].provider)
  const callFitted = createContextFitter(meter)
  const callSettings = createSettingFallback()
  const callFiles = createFileFallback()
  const ask = async <T>(options: LanguageModelV4CallOptions, attempt: Call<T, Attempt>): Promise<T> => {
    const failures: ServiceError[] = []
    let isAskedAgain = retryPolicy.retries === 0
    const attemptOnce: Call<T> = async (endpoint, request, charge) => {
      try {
        const mayBeSilent = isAskedAgain || meter.hasRoom === false
        return await callSettings(
          (changed) => attempt(endpoint, changed, { charge, mayBeSilent }),
          endpoint,
          inMessages(request, endpoint),
        )
      } catch (error) {
        if (isServiceError(error) && error.details['isEmptyAnswer'] === true) isAskedAgain = true
        throw error
      }
    }
    for (const endpoint of chain) {
      const outcome = await callWithRetries(
        () => callFiles((request) => callFitted(attemptOnce, endpoint, request), endpoint, options),
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
    supportedUrls: isOneProvider ? supportedUrls : {},
    doStream: (options) => ask(options, streamOnce),
    doGenerate: (options) => ask(options, generateOnce),
  }
}

const unmetered: CallMeter = { charge: () => () => undefined }

type Call<T, How = ChargeCall> = (
  endpoint: ModelEndpoint,
  options: LanguageModelV4CallOptions,
  how: How,
) => Promise<T>

/** Once all is fitted, because turns are left out by their messages. */
function inMessages(options: LanguageModelV4CallOptions, { api }: ModelEndpoint): LanguageModelV4CallOptions {
  const prompt = api && api !== 'google' ? moveAnswerFiles(options.prompt) : options.prompt
  return { ...options, prompt: api === 'chat' ? toChatMessages(prompt) : prompt }
}

/** So often a request is halved: from the window of an unknown model, 128,000 tokens, down to 8,000. */
const MAX_HALVINGS = 4

/**
 * Fits requests into the context window. If a model still finds a request too long, it gets half of it, and half of
 * that, and no more than what it took from then on. What a model finds too long costs nothing.
 */
function createContextFitter(meter: CallMeter) {
  const learnedLimits = new Map<ModelEndpoint, number>()
  return async <T>(
    attempt: Call<T>,
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
      if (ms >= MIN_NOTICE_MS)
        onWait?.({
          retryAfter: ms / 1000,
          code: failure.code,
          attempt: retry + 2,
          attempts: retryPolicy.retries + 1,
        })
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
  const { retryAfter, details } = failure
  // A model that has nothing to say twice will not have it the third time.
  const maxRetries = details?.['isEmptyAnswer'] === true ? Math.min(retries, 1) : retries
  if (retry >= maxRetries || !toFailure(failure).retryable) return undefined
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
