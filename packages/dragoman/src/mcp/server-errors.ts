import { describeJsonExcess, findJsonExcess, isJsonObject, parseJson, type Json } from '../events/index.ts'
import { repairError, type RpcError } from './repair-message.ts'

/** The code of the error that ends a call whose stream has ended. A server may give it too. */
export const CLOSED: number = -32_000
export const CLOSED_MESSAGE = 'Connection closed'
/** The server speaks another version of the protocol. */
const UNSUPPORTED_VERSION = -32_022
/** A call lacks the headers that its tool wants now. */
const HEADER_MISMATCH = -32_020
const METHOD_NOT_FOUND = -32_601
/** Nothing has reached the server then. */
const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES|EAI_AGAIN)$/
const BROKEN = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/

/** A server does not accept the sign-in of its user, or not for what was asked. */
export class SignInError extends Error {
  override readonly name = 'SignInError'
}

/** The limit of one answer. */
export const MAX_ANSWER_BYTES: number = 16 * 1024 ** 2

const TOO_LARGE: string = `its answer is larger than ${MAX_ANSWER_BYTES / 1024 ** 2} MB`

const TOO_MANY = 'its answer has '

/** An answer with too many values would be parsed for seconds. @throws TooLargeError */
export function refuseManyValues(text: string): void {
  const excess = findJsonExcess(text)
  if (excess) throw new TooLargeError(TOO_MANY + describeJsonExcess(excess))
}

/** What of an error's message says that an answer is too large. */
export function readTooLarge(message: string): TooLargeError | undefined {
  if (message.endsWith(TOO_LARGE)) return new TooLargeError()
  const start = message.lastIndexOf(TOO_MANY)
  return start < 0 ? undefined : new TooLargeError(message.slice(start))
}

export class TooLargeError extends Error {
  override readonly name = 'TooLargeError'

  constructor(reason = TOO_LARGE) {
    super(reason)
  }
}

/** The reason of a server error, as part of a sentence. It quotes nothing that the server sent or received. */
export function errorReason(error: unknown): string {
  if (error instanceof SignInError || error instanceof TooLargeError) return error.message
  const status = errorStatus(error)
  if (status === 401 || status === 403) return `it refuses who asks (HTTP ${status})`
  if (status !== undefined) return `it answers with HTTP ${status}`
  const code = codeOf(error)
  if (isServerError(error)) return `it answers with the error ${String(code)}`
  if (isClosed(error)) return 'it closed the connection'
  const type = contentType(error)
  if (type !== undefined) return `it answers with ${type}, as no MCP server does: check its url`
  if (isTimeout(error)) return 'it does not answer in time'
  if (typeof code === 'string' && BROKEN.test(code)) return 'it closed the connection'
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    const isCommand =
      error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn')
    return isCommand ? `its command cannot be started (${code})` : `it cannot be reached (${code})`
  }
  if (error instanceof Error && error.cause !== undefined) return errorReason(error.cause)
  return 'it does not speak as an MCP server does'
}

/** What a server has answered with that is neither JSON nor events. */
function contentType(error: unknown): string | undefined {
  if (codeOf(error) !== 'CLIENT_HTTP_UNEXPECTED_CONTENT') return undefined
  const [type] = / ([\w.+-]{1,40}\/[\w.+-]{1,80})/.exec((error as Error).message)?.slice(1) ?? []
  return type ?? 'no content type'
}

/** The HTTP status with which a request was refused. */
export function errorStatus(error: unknown): number | undefined {
  const isRefused = error instanceof Error && 'status' in error && typeof error.status === 'number'
  return isRefused ? (error.status as number) : undefined
}

/** Whether a user must sign in, again or at all. */
export function isSignInError(error: unknown): boolean {
  return error instanceof SignInError || (error instanceof Error && isSignInError(error.cause))
}

/** Whether a request may have arrived without an answer, so that its outcome is unknown. */
export function isCutOff(error: unknown): boolean {
  if (error instanceof SignInError || errorStatus(error) !== undefined || isServerError(error)) return false
  const code = codeOf(error)
  if (error instanceof Error && error.cause !== undefined) return isCutOff(error.cause)
  return typeof code !== 'string' || !UNREACHED.test(code)
}

/** Whether the server itself has answered that it does not do what was asked. */
export function isServerError(error: unknown): error is Error {
  // Errors of the platform have numbers too.
  const isError = error instanceof Error && !(error instanceof DOMException)
  return isError && typeof codeOf(error) === 'number' && !isClosed(error)
}

/** The error with which the server itself has refused a request. It can be the body of an HTTP error. */
export function refusalOf(error: unknown): RpcError | undefined {
  if (isServerError(error)) return error as Error & RpcError
  const refusal = bodyOf(error)?.['error']
  return isJsonObject(refusal) ? repairError(refusal) : undefined
}

/** Whether an HTTP error is the answer to the request itself. That a session is unknown has no id. */
export function isAnswer(error: unknown): boolean {
  const { id, error: refusal } = bodyOf(error) ?? {}
  return isJsonObject(refusal) && id !== undefined && id !== null
}

function bodyOf(error: unknown): { readonly [field: string]: Json } | undefined {
  const { text } = error instanceof Error && 'data' in error && isJsonObject(error.data) ? error.data : {}
  const body = typeof text === 'string' && !findJsonExcess(text) ? parseJson(text) : undefined
  return isJsonObject(body) ? body : undefined
}

/** Whether the server does not have what was asked for. */
export function isNotOffered(error: unknown): boolean {
  return refusalOf(error)?.code === METHOD_NOT_FOUND
}

/** Whether the server has not answered the question which versions it speaks. */
export function isVersionUnknown(error: unknown): boolean {
  return codeOf(error) === 'ERA_NEGOTIATION_FAILED' && !isSignInError(error)
}

/** Whether the server does not speak the version of the protocol any more that it has spoken. */
export function isOtherVersion(error: unknown): boolean {
  return codeOf(error) === UNSUPPORTED_VERSION
}

/** Whether the server refuses a call because its tool is another one by now. */
export function isOutdated(error: unknown): boolean {
  return codeOf(error) === HEADER_MISMATCH
}

/** Whether the connection has ended before the answer. */
export function isClosed(error: unknown): boolean {
  const code = codeOf(error)
  return code === 'CONNECTION_CLOSED' || (code === CLOSED && (error as Error).message === CLOSED_MESSAGE)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function isTimeout(error: unknown): boolean {
  const code = codeOf(error)
  const isLate = code === 'REQUEST_TIMEOUT' || code === 'UND_ERR_CONNECT_TIMEOUT'
  return isLate || (error instanceof Error && error.name === 'TimeoutError')
}
