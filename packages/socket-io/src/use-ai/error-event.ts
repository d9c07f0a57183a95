import { isServiceError, toFailure } from 'dragoman/errors'
import type { Json } from 'dragoman/events'

/** The RUN_ERROR for errors without a run. use-ai's clients recognize a rate limit by its sentence. */
export function errorEvent(error: unknown): Json {
  const { message, code, retryAfter = 1 } = toFailure(error)
  const sentence =
    code === 'rate-limited' ? `Rate limit exceeded. Please try again in ${retryAfter} seconds.` : message
  const { details = {} } = isServiceError(error) ? error : {}
  return {
    type: 'RUN_ERROR',
    message: sentence,
    error: sentence,
    code: details['code'] ?? code,
    timestamp: Date.now(),
  }
}
