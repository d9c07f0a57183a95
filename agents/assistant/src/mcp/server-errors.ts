/** JSON-RPC codes that the client's library gives itself: the first may be the server's too. */
const CLOSED = -32_000
const TOO_SLOW = -32_001
/** Nothing has reached the server then. */
const UNREACHED = /^(ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ENOENT|EACCES|EAI_AGAIN)$/
const BROKEN = /^(UND_ERR_SOCKET|ECONNRESET|EPIPE)$/

/** The reason of a server error, as part of a sentence. It quotes nothing that the server sent or received. */
export function errorReason(error: unknown): string {
  const status = errorStatus(error)
  if (status === 401 || status === 403) return `it refuses who asks (HTTP ${status})`
  if (status !== undefined) return `it answers with HTTP ${status}`
  const code = codeOf(error)
  if (isServerError(error)) return `it answers with the error ${String(code)}`
  if (code === CLOSED) return 'it closed the connection'
  if (code === TOO_SLOW || isTimeout(error)) return 'it does not answer in time'
  if (typeof code === 'string' && BROKEN.test(code)) return 'it closed the connection'
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) {
    const isCommand =
      error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn')
    return isCommand ? `its command cannot be started (${code})` : `it cannot be reached (${code})`
  }
  if (error instanceof Error && error.cause !== undefined) return errorReason(error.cause)
  return 'it does not speak as an MCP server does'
}

/** The HTTP status with which a request was refused. */
export function errorStatus(error: unknown): number | undefined {
  const code = codeOf(error)
  return !isAnswer(error) && typeof code === 'number' && code >= 100 && code < 600 ? code : undefined
}

/** Whether a request may have arrived without an answer, so that its outcome is unknown. */
export function isCutOff(error: unknown): boolean {
  if (errorStatus(error) !== undefined || isServerError(error)) return false
  const code = codeOf(error instanceof Error && error.cause !== undefined ? error.cause : error)
  return typeof code !== 'string' || !UNREACHED.test(code)
}

/** Whether the server itself has answered that it does not do what was asked. */
export function isServerError(error: unknown): error is Error {
  if (!isAnswer(error)) return false
  const code = codeOf(error)
  return code !== TOO_SLOW && !(code === CLOSED && error.message.endsWith('Connection closed'))
}

/** Made of an answer in the protocol's words, or of the want of one. */
function isAnswer(error: unknown): error is Error {
  return error instanceof Error && error.name === 'McpError'
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function isTimeout(error: unknown): boolean {
  return (
    error instanceof Error && (error.name === 'TimeoutError' || codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT')
  )
}
