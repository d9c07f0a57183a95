import { ServiceError } from 'dragoman/errors'
import type { Failure } from 'dragoman/events'

/** What kind of error it is, in the words of the Eve jobs chat. */
export type EveErrorCode = 'rate_limit' | 'auth_error' | 'agent_error' | 'tool_error'

const EVE_CODES: Readonly<Record<string, EveErrorCode>> = {
  'rate-limited': 'rate_limit',
  'quota-exceeded': 'rate_limit',
  'model-overloaded': 'rate_limit',
  overloaded: 'rate_limit',
  'model-unauthorized': 'auth_error',
  unauthorized: 'auth_error',
  forbidden: 'auth_error',
  'tool-failed': 'tool_error',
  'unknown-tool': 'tool_error',
  'invalid-input': 'tool_error',
  'outcome-unknown': 'tool_error',
}

export function eveErrorCode({ code }: Pick<Failure, 'code'>): EveErrorCode {
  return EVE_CODES[code] ?? 'agent_error'
}

/** The error of a failed run for `stream: false`, where Eve documents another status than ours. */
export function wholeError(failure: Failure): ServiceError | undefined {
  const code = eveErrorCode(failure)
  const details = { code }
  if (code === 'rate_limit') return new ServiceError('rate-limited', failure.message, { details })
  if (code !== 'auth_error') return undefined
  const status = failure.providerStatus === 403 ? 'forbidden' : 'unauthorized'
  return new ServiceError(status, failure.message, { details })
}
