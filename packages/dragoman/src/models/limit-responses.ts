import { ServiceError } from '../errors.ts'
import { readLimits, type Limits } from '../config/index.ts'
import { reportLife } from './watchdog.ts'

/** How much one answer of a model provider may hold. */
export type ResponseLimits = Pick<Limits, 'providerLineBytes' | 'providerAnswerBytes' | 'callsPerStep'>

export const DEFAULT_RESPONSE_LIMITS: ResponseLimits = readLimits(null).own

/** The server reads only the status and the beginning of an answer that is a failure. */
const MAX_ERROR_BODY_BYTES = 64 * 1024

/**
 * Limits the size of a provider's response, because the server holds it in memory and writes it to the log.
 * Counts the bytes after decompression. Each of them is a sign of life.
 */
export function limitResponses(send: typeof fetch, limits: ResponseLimits): typeof fetch {
  return async (url, options) => {
    const answer = await send(url, options)
    if (!answer.body) return answer
    if (!answer.ok) return new Response(answer.body.pipeThrough(truncate(MAX_ERROR_BODY_BYTES)), answer)
    const checks = [() => reportLife(options?.signal), limitBytes(limits.providerAnswerBytes)]
    if (isStream(answer)) checks.push(limitEvents(limits.providerLineBytes))
    return new Response(answer.body.pipeThrough(checkChunks(checks)), answer)
  }
}

/** A JSON answer is one line, however long it is. */
function isStream({ headers }: Response): boolean {
  return !/\bjson\b/i.test(headers.get('content-type') ?? '')
}

type Check = (chunk: Uint8Array) => void

function checkChunks(checks: readonly Check[]): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      for (const check of checks) check(chunk)
      controller.enqueue(chunk)
    },
  })
}

function limitBytes(maxBytes: number): Check {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    if (bytes > maxBytes)
      throw tooLongError(`an answer of more than ${maxBytes} bytes (limits.providerAnswerBytes)`)
  }
}

const LF = 10
const CR = 13

/** An empty line ends an event. Until then, the parser of a provider's package holds the event in memory. */
function limitEvents(maxBytes: number): Check {
  let bytes = 0
  let isLineEmpty = false
  let last = 0
  return (chunk) => {
    for (const byte of chunk) {
      const isSecondOfCrLf = byte === LF && last === CR
      last = byte
      if (isSecondOfCrLf) continue
      const endsLine = byte === LF || byte === CR
      if (endsLine && isLineEmpty) bytes = 0
      isLineEmpty = endsLine
      bytes += 1
      if (bytes > maxBytes)
        throw tooLongError(`an event of more than ${maxBytes} bytes (limits.providerLineBytes)`)
    }
  }
}

function tooLongError(what: string): ServiceError {
  return new ServiceError('model-refused', `The model provider sent ${what}, more than can be taken in.`, {
    translations: { zh: '模型服务的回答太长了，没法接收。' },
  })
}

/** Ends the stream without an error after this many bytes, and does not read the rest. */
function truncate(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let remaining = bytes
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, remaining))
      remaining -= chunk.length
      if (remaining <= 0) controller.terminate()
    },
  })
}
