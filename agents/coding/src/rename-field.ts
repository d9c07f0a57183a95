import { isServiceError, ServiceError } from 'dragoman/errors'

/** A refusal of a field, under the name that the field has here. */
export function renameField(error: unknown, theirs: string, here: string): unknown {
  if (!isServiceError(error) || !error.message.startsWith(theirs)) return error
  const { code, message, details } = error
  return new ServiceError(code, message.replace(theirs, here), { details, cause: error })
}
