import { ServiceError } from '../../errors.ts'
import { MAX_JSON_LEVELS } from '../fan-out/index.ts'

/** No valid body has more values. JSON.parse of millions blocks the process for seconds. */
const MAX_VALUES = 50_000
/** An object of more keys is a table, and V8 takes many times as long for it as for a list. */
const MAX_KEYS = 5000

const QUOTE = 0x22
const [BACKSLASH, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = Buffer.from('\\,[{]}')

/**
 * Counts the values, the keys of each object and the nesting of JSON before it is parsed, in pieces as they arrive.
 * @throws ServiceError `invalid-request`
 */
export function createJsonValueCounter(maxLevels = MAX_JSON_LEVELS): (piece: Uint8Array) => void {
  let values = 0
  let depth = 0
  /** The commas in each open object. A list has none that count. */
  const commas: number[] = []
  let inText = false
  /** Whether the next byte is escaped. */
  let isEscaped = false
  /** Returns the index of the last byte of the current string in the piece. */
  const skipText = (piece: Uint8Array, from: number): number => {
    const start = isEscaped ? from + 1 : from
    const quote = piece.indexOf(QUOTE, start)
    const end = quote < 0 ? piece.length : quote
    let slash = end
    while (slash > start && piece[slash - 1] === BACKSLASH) slash -= 1
    const isOdd = (end - slash) % 2 === 1
    isEscaped = quote < 0 && isOdd
    inText = quote < 0 || isOdd
    return end
  }
  return (piece) => {
    for (let at = 0; at < piece.length; at += 1) {
      const byte = piece[at]
      if (inText) at = skipText(piece, at)
      else if (byte === QUOTE) inText = true
      else if (byte === COMMA) {
        values += 1
        if ((commas[depth] = (commas[depth] ?? -Infinity) + 1) >= MAX_KEYS) throw tooManyKeys()
      } else if (byte === BRACKET_END || byte === BRACE_END) depth -= 1
      else if (byte === BRACKET || byte === BRACE) {
        values += 1
        depth += 1
        commas[depth] = byte === BRACE ? 0 : -Infinity
        if (depth > maxLevels) throw tooDeep()
      }
      if (values > MAX_VALUES) throw tooMany()
    }
  }
}

function tooDeep(): ServiceError {
  return new ServiceError('invalid-request', `The body is nested deeper than ${MAX_JSON_LEVELS} levels`)
}

function tooManyKeys(): ServiceError {
  return new ServiceError('invalid-request', `An object of the body may have at most ${MAX_KEYS} keys`)
}

/** Created on demand: number formatting loads large locale data. */
function tooMany(): ServiceError {
  return new ServiceError(
    'invalid-request',
    `The body may hold at most ${MAX_VALUES.toLocaleString('en-US')} values`,
  )
}
