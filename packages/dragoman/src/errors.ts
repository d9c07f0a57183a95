import type { Failure, Json } from './events/index.ts'

export { hideKeys } from './scrub/index.ts'

/** Every way to fail that we foresee: its HTTP status, and whether the same request may succeed later. */
const catalog = {
  'invalid-request': { status: 400, retryable: false },
  unauthorized: { status: 401, retryable: false },
  forbidden: { status: 403, retryable: false },
  'not-found': { status: 404, retryable: false },
  'method-not-allowed': { status: 405, retryable: false },
  'too-slow': { status: 408, retryable: true },
  'thread-busy': { status: 409, retryable: true },
  'run-closed': { status: 409, retryable: false },
  conflict: { status: 409, retryable: true },
  'already-answered': { status: 409, retryable: false },
  unanswered: { status: 409, retryable: false },
  denied: { status: 403, retryable: false },
  expired: { status: 410, retryable: false },
  'log-pruned': { status: 410, retryable: false },
  fenced: { status: 409, retryable: false },
  'cursor-ahead': { status: 409, retryable: false },
  'cursor-unknown': { status: 409, retryable: false },
  'too-large': { status: 413, retryable: false },
  'key-reused': { status: 422, retryable: false },
  'rate-limited': { status: 429, retryable: true },
  'quota-exceeded': { status: 429, retryable: false },
  'storage-full': { status: 413, retryable: false },
  'model-unauthorized': { status: 502, retryable: false },
  'model-refused': { status: 502, retryable: false },
  'context-full': { status: 413, retryable: false },
  'model-missing': { status: 503, retryable: false },
  'model-overloaded': { status: 503, retryable: true },
  'model-failed': { status: 502, retryable: true },
  'invalid-input': { status: 400, retryable: false },
  'unknown-tool': { status: 400, retryable: false },
  'tool-failed': { status: 500, retryable: false },
  'timed-out': { status: 504, retryable: true },
  aborted: { status: 500, retryable: false },
  interrupted: { status: 500, retryable: true },
  'outcome-unknown': { status: 500, retryable: false },
  overloaded: { status: 503, retryable: true },
  unavailable: { status: 503, retryable: true },
  damaged: { status: 500, retryable: false },
  internal: { status: 500, retryable: false },
} as const

/**
 * What went wrong, for programs. Each code has one HTTP status.
 *
 * @example
 * const code: ErrorCode = 'not-found'
 */
export type ErrorCode = keyof typeof catalog
export type ErrorStatus = (typeof catalog)[ErrorCode]['status']

export const errorCodes = Object.keys(catalog) as readonly ErrorCode[]

/**
 * An error that clients see: a code and a sentence. `details` are sent with them; the cause is not.
 *
 * @example
 * const error = new ServiceError('not-found', 'There is no roll 7.', {
 *   details: { field: 'id' },
 *   translations: { zh: '没有第 7 次掷骰。' },
 * })
 */
export class ServiceError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, Json>>
  /** Seconds after which to try again, where known. */
  readonly retryAfter: number | undefined
  /** The message in other languages, by language tag (`zh`). */
  readonly translations: Readonly<Record<string, string>>

  constructor(
    code: ErrorCode,
    message: string,
    options: ErrorOptions & {
      details?: Readonly<Record<string, Json>>
      retryAfter?: number
      translations?: Readonly<Record<string, string>>
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'ServiceError'
    this.code = code
    this.details = options.details ?? {}
    this.retryAfter = options.retryAfter
    this.translations = options.translations ?? {}
  }

  /** The message in a language, such as `zh` or `zh-TW`, or in English if there is none. */
  messageIn(language: string): string {
    const [base = ''] = language.split('-', 1)
    return this.translations[language] ?? this.translations[base] ?? this.message
  }
}

/** Never throws: a proxy that does so is none. */
export function isServiceError(error: unknown, code?: ErrorCode): error is ServiceError {
  try {
    return error instanceof ServiceError && (code === undefined || error.code === code)
  } catch {
    return false
  }
}

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(catalog, code)
}

/** The part of an error that may be shown. An unforeseen error gets a fixed message. */
export function toFailure(error: unknown): Failure {
  if (!isServiceError(error)) {
    return { code: 'internal', message: 'Something went wrong on the server.', retryable: false }
  }
  const { code, message, retryAfter } = error
  const { providerStatus } = error.details
  return {
    code,
    message,
    retryable: catalog[code].retryable,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(typeof providerStatus === 'number' && { providerStatus }),
  }
}

export function statusOf(error: unknown): ErrorStatus {
  return codeStatus(isServiceError(error) ? error.code : 'internal')
}

export function codeStatus(code: ErrorCode): ErrorStatus {
  return catalog[code].status
}
