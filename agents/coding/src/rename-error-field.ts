import { isServiceError, ServiceError } from 'dragoman/errors'

/** A refusal of a field, under the name that the field has here. */
export function renameErrorField(error: unknown, from: string, to: string): unknown {
  if (!isServiceError(error) || !error.message.startsWith(from)) return error
  const { code, message, details } = error
  return new ServiceError(code, message.replace(from, to), { details, cause: error })
}
