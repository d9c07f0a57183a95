import { ServiceError } from '../errors.ts'
import { readLimits, type Limits } from '../config/index.ts'

/** How much one answer of a model provider may hold. */
export type AnswerLimits = Pick<Limits, 'providerLineBytes' | 'providerAnswerBytes' | 'callsPerStep'>

export const DEFAULT_LIMITS: AnswerLimits = readLimits(null).own

/** The server reads only the status and the beginning of an answer that is a failure. */
const FAILURE_BYTES = 64 * 1024

/**
 * Limits what a provider may answer to one request: the server holds an answer in memory and writes it to the log.
 * `fetch` has decompressed the bytes that are counted here.
 */
export function bounded(send: typeof fetch, limits: AnswerLimits): typeof fetch {
  return async (url, options) => {
    const answer = await send(url, options)
    if (!answer.body) return answer
    if (!answer.ok) return new Response(answer.body.pipeThrough(beginning(FAILURE_BYTES)), answer)
    const counts = [bytesUpTo(limits.providerAnswerBytes)]
    if (isStream(answer)) counts.push(eventsUpTo(limits.providerLineBytes))
    return new Response(answer.body.pipeThrough(checked(counts)), answer)
  }
}

/** A JSON answer is one line, however long it is. */
function isStream({ headers }: Response): boolean {
  return !/\bjson\b/i.test(headers.get('content-type') ?? '')
}

type Check = (chunk: Uint8Array) => void

function checked(checks: readonly Check[]): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      for (const check of checks) check(chunk)
      controller.enqueue(chunk)
    },
  })
}

function bytesUpTo(most: number): Check {
  let bytes = 0
  return (chunk) => {
    bytes += chunk.length
    if (bytes > most) throw tooLong(`an answer of more than ${most} bytes (limits.providerAnswerBytes)`)
  }
}

const LF = 10
const CR = 13

/** An empty line ends an event. Until then, the parser of a provider's package holds the event in memory. */
function eventsUpTo(most: number): Check {
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
      if (bytes > most) throw tooLong(`an event of more than ${most} bytes (limits.providerLineBytes)`)
    }
  }
}

function tooLong(what: string): ServiceError {
  return new ServiceError('model-refused', `The model provider sent ${what}, more than can be taken in.`, {
    translations: { zh: '模型服务的回答太长了，没法接收。' },
  })
}

/** Ends without an error after so many bytes, and does not read the rest. */
function beginning(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes
  return new TransformStream({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) controller.terminate()
    },
  })
}
