import { pino, type Logger } from 'pino'

type ProcessLog = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

/** Lines of JSON on standard error: standard output carries the ready line alone. */
export function processLog(level: string): ProcessLog {
  return pino(
    { level, base: null, serializers: { err: described } },
    pino.destination({ dest: 2, sync: true }),
  )
}

const DEPTH = 4

/** An error without what a provider answered: its words may quote a key. */
function described(error: unknown, depth = 0): object {
  if (!(error instanceof Error)) return { message: String(error) }
  const code = 'code' in error ? { code: String(error.code) } : {}
  if ('responseBody' in error || 'requestBodyValues' in error) {
    return { type: error.name, ...('statusCode' in error && { statusCode: Number(error.statusCode) }) }
  }
  return {
    type: error.name,
    ...code,
    message: error.message,
    stack: error.stack,
    ...(error.cause !== undefined && depth < DEPTH && { cause: described(error.cause, depth + 1) }),
  }
}
