import { isServiceError, ServiceError } from '../errors.ts'

/** What can be read from the errors of the AI SDK, its retries and its streams: their shape, so that nothing heavy is loaded. */
type ProviderError = {
  readonly statusCode?: unknown
  readonly responseHeaders?: unknown
  readonly lastError?: unknown
  readonly cause?: unknown
  readonly code?: unknown
  readonly name?: unknown
  readonly message?: unknown
}

const keyVariables: Readonly<Record<string, string>> = {
  anthropic: 'ANTHROPIC_API_KEY (or CLAUDE_API_KEY)',
  openai: 'OPENAI_API_KEY',
}

/**
 * Turns what went wrong at a model provider into an error that may be shown. The provider's own words are never repeated,
 * as some quote the key that they refuse; they stay in the cause.
 */
export function modelFailure(error: unknown, modelName: string): ServiceError {
  if (isServiceError(error)) return error

  const chain = [...causes(error)]
  const answered = chain.find((known) => typeof known.statusCode === 'number')
  if (answered) return refusal(answered, modelName, error)

  if (chain.some((known) => known.name === 'TimeoutError')) {
    return new ServiceError('timed-out', `The model ${modelName} took too long to answer.`, { cause: error })
  }
  if (chain.some((known) => known.name === 'AbortError')) {
    return new ServiceError('aborted', `The call of ${modelName} was stopped.`, { cause: error })
  }
  if (chain.some(isNetworkError)) {
    return new ServiceError('model-failed', 'The model provider could not be reached.', { cause: error })
  }
  return new ServiceError('model-failed', `The model ${modelName} did not answer as it should.`, {
    cause: error,
  })
}

/** A provider's error status, in our words. */
function refusal(answered: ProviderError, modelName: string, cause: unknown): ServiceError {
  const status = answered.statusCode as number
  const retryAfter = retryAfterOf(answered.responseHeaders)
  const options = { cause, ...(retryAfter !== undefined && { retryAfter }) }

  if (status === 401 || status === 403) {
    const variable = keyVariables[modelName.split(':', 1)[0] ?? ''] ?? 'its API key'
    const message = `The model provider refused the key for ${modelName}. Check ${variable}.`
    return new ServiceError('model-unauthorized', message, options)
  }
  if (status === 429) {
    const wait = retryAfter === undefined ? 'Please try again later.' : `Please wait ${retryAfter} seconds.`
    return new ServiceError('rate-limited', `Rate limit exceeded for ${modelName}. ${wait}`, options)
  }
  return new ServiceError(
    'model-failed',
    `The model provider answered the call of ${modelName} with status ${status}.`,
    options,
  )
}

/** The error, what it wraps, what that wraps … A retry wraps its last try. */
function* causes(error: unknown): Generator<ProviderError> {
  const seen = new Set<unknown>()
  let current = error
  while (typeof current === 'object' && current !== null && !seen.has(current)) {
    seen.add(current)
    const known: ProviderError = current
    yield known
    current = known.lastError ?? known.cause
  }
}

/** The SDK's error without a status had no answer; `fetch` says no more than "fetch failed"; undici and the system say why by code. */
function isNetworkError({ code, name, message }: ProviderError): boolean {
  if (name === 'AI_APICallError') return true
  if (typeof code === 'string' && /^(?:E[A-Z]+|UND_ERR_\w+)$/.test(code)) return true
  return name === 'TypeError' && /^(?:fetch failed|terminated)$/.test(String(message))
}

/** Seconds to wait, from `retry-after-ms` or `retry-after` (seconds or a date). */
function retryAfterOf(headers: unknown): number | undefined {
  if (typeof headers !== 'object' || headers === null) return undefined
  const all = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))

  const milliseconds = Number(all.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds)) return seconds(milliseconds)

  const given = all.get('retry-after')
  if (given === undefined) return undefined
  const wait = /^\s*\d+(?:\.\d+)?\s*$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isFinite(wait) ? seconds(wait) : undefined
}

function seconds(milliseconds: number): number {
  return Math.max(0, Math.ceil(milliseconds / 1000))
}
