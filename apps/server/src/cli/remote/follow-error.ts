import { isErrorCode, ServiceError } from 'dragoman/errors'
import { printableLine } from '../printable.ts'

/** The error of a run that cannot be followed, as the client library throws it. */
export function followError(error: unknown): unknown {
  const cause =
    error instanceof Error
      ? (error.cause as { readonly code?: string; readonly status?: number } | undefined)
      : undefined
  if (error instanceof ServiceError || !(error instanceof Error)) return error
  if (cause?.code === undefined && cause?.status === undefined) return error
  const code = cause.code !== undefined && isErrorCode(cause.code) ? cause.code : 'internal'
  return new ServiceError(code, printableLine(error.message), { cause: error })
}
