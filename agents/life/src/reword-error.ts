import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'

/** A copy of an error with another message or with more details. */
export function rewordError(
  error: ServiceError,
  { message = error.message, details = {} }: { message?: string; details?: Readonly<Record<string, Json>> },
): ServiceError {
  return new ServiceError(error.code, message, {
    cause: error,
    details: { ...error.details, ...details },
    ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
    translations: error.translations,
  })
}
