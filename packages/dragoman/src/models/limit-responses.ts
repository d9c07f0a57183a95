import { paceStream } from '../async/index.ts'
import { ServiceError } from '../errors.ts'
import { createJsonCounter, describeJsonExcess } from '../events/index.ts'
import { readLimits, type Limits } from '../config/index.ts'
import { reportLife } from './watchdog.ts'

/** How much one answer of a model provider may hold. */
export type ResponseLimits = Pick<Limits, 'providerLineBytes' | 'providerAnswerBytes' | 'callsPerStep'>

export const DEFAULT_RESPONSE_LIMITS: ResponseLimits = readLimits(null).own

/** The server reads only the status and the beginning of an answer that is a failure. */
const MAX_ERROR_BODY_BYTES = 64 * 1024
const MAX_ERROR_BODY_MS = 10_000

/**
 * Limits the size of a provider's response, because the server holds it in memory and writes it to the log.
 * Counts the bytes after decompression. Each of them is a sign of life.
 */
export function limitResponses(send: typeof fetch, limits: ResponseLimits): typeof fetch {
  return async (url, options) => {
    const answer = await send(url, options)
    if (!answer.body) return answer
    if (!answer.ok) return new Response(answer.body.pipeThrough(beginning()), answer)
    const checks = [() => reportLife(options?.signal), limitBytes(limits.providerAnswerBytes)]
    checks.push(isStream(answer) ? limitEvents(limits.providerLineBytes) : limitValues())
    const check = (piece: Uint8Array): void => {
      for (const each of checks) each(piece)
    }
    return new Response(paceStream(answer.body, check), answer)
  }
}

/** A JSON answer is one line, however long it is. */
function isStream({ headers }: Response): boolean {
  return !/\bjson\b/i.test(headers.get('content-type') ?? '')
}

type Check = (piece: Uint8Array) => void

function limitBytes(maxBytes: number): Check {
  let bytes = 0
  return ({ length }) => {
    bytes += length
    if (bytes > maxBytes)
      throw tooLongError(`an answer of more than ${maxBytes} bytes (limits.providerAnswerBytes)`)
  }
}

/** The package of a provider parses an answer, or an event, in one piece. */
function limitValues(counter = createJsonCounter()): Check {
  return (piece) => {
    const excess = counter.take(piece)
    if (excess) throw tooLongError(`an answer or event with ${describeJsonExcess(excess)}`)
  }
}

const LF = 10
const CR = 13
const QUOTE = 34
const COMMA = 44
/** No word is as long. What follows in it is the content of a picture. */
const MAX_WORD_BYTES = 64 * 1024

/** Letters, digits and the signs of base64, also with an escaped slash. */
const IS_BASE64 = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[\w+/=\\-]/.test(String.fromCharCode(byte)) ? 1 : 0,
)

/**
 * An empty line ends an event. Until then, the parser of a provider's package holds the event in memory. Pictures in
 * base64, which begin with a JSON text or after the comma of their URL, count for the whole answer alone.
 */
function limitEvents(maxBytes: number): Check {
  const counter = createJsonCounter()
  const countValues = limitValues(counter)
  let bytes = 0
  let isLineEmpty = false
  let last = 0
  let word = Infinity
  return (piece) => {
    let start = 0
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at] ?? 0
      if (IS_BASE64[byte] === 0) word = byte === QUOTE || byte === COMMA ? 0 : Infinity
      else if (++word > MAX_WORD_BYTES && word < Infinity) continue
      const isSecondOfCrLf = byte === LF && last === CR
      last = byte
      if (isSecondOfCrLf) continue
      const endsLine = byte === LF || byte === CR
      if (endsLine && isLineEmpty) {
        bytes = 0
        countValues(piece.subarray(start, at))
        counter.reset()
        start = at
      }
      isLineEmpty = endsLine
      bytes += 1
      if (bytes > maxBytes)
        throw tooLongError(`an event of more than ${maxBytes} bytes (limits.providerLineBytes)`)
    }
    countValues(piece.subarray(start))
  }
}

function tooLongError(what: string): ServiceError {
  return new ServiceError('model-refused', `The model provider sent ${what}, more than can be taken in.`, {
    translations: { zh: '模型服务的回答太长了，没法接收。' },
  })
}

/** Ends the stream without an error where it is long, or takes long, and does not read the rest. */
function beginning(): TransformStream<Uint8Array, Uint8Array> {
  let remaining = MAX_ERROR_BODY_BYTES
  let timer: NodeJS.Timeout | undefined
  return new TransformStream({
    start(controller) {
      timer = setTimeout(() => controller.terminate(), MAX_ERROR_BODY_MS).unref()
    },
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, remaining))
      remaining -= chunk.length
      if (remaining <= 0) controller.terminate()
    },
    flush: () => clearTimeout(timer),
  })
}
