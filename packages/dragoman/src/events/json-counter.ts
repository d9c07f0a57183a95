/** No valid message of strangers has more values. JSON.parse of millions blocks the process for seconds. */
export const MAX_JSON_VALUES = 50_000
/** An object of more keys is a table, and V8 takes many times as long for it as for a list. */
export const MAX_JSON_KEYS = 5000

const COMMA = 0x2c
const QUOTE = 0x22
const BACKSLASH = 0x5c
const BRACKET = 0x5b
const BRACKET_END = 0x5d
const BRACE = 0x7b
const BRACE_END = 0x7d

/** Of what a JSON text has too much. */
export type JsonExcess = 'values' | 'keys' | 'levels'

export type JsonLimits = {
  readonly maxValues?: number
  readonly maxLevels?: number
}

/** Counts the values, the keys of each object and the nesting of JSON, in pieces as they arrive. */
export interface JsonCounter {
  /** Returns of what there is too much so far. */
  take(piece: Uint8Array): JsonExcess | undefined
  /** The values so far. */
  values(): number
  /** Begins another text. */
  reset(): void
}

export function createJsonCounter({
  maxValues = MAX_JSON_VALUES,
  maxLevels = Infinity,
}: JsonLimits = {}): JsonCounter {
  let values = 0
  let depth = 0
  /** The commas in each open object. A list has none that count. */
  let commas: number[] = []
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
  return {
    take(piece) {
      for (let at = 0; at < piece.length; at += 1) {
        const byte = piece[at]
        if (inText) at = skipText(piece, at)
        else if (byte === QUOTE) inText = true
        else if (byte === COMMA) {
          values += 1
          if ((commas[depth] = (commas[depth] ?? -Infinity) + 1) >= MAX_JSON_KEYS) return 'keys'
        } else if (byte === BRACKET_END || byte === BRACE_END) depth -= 1
        else if (byte === BRACKET || byte === BRACE) {
          values += 1
          depth += 1
          commas[depth] = byte === BRACE ? 0 : -Infinity
          if (depth > maxLevels) return 'levels'
        }
        if (values > maxValues) return 'values'
      }
      return undefined
    },
    values: () => values,
    reset() {
      values = 0
      depth = 0
      commas = []
      inText = false
      isEscaped = false
    },
  }
}

/** Of what a text of a stranger has too much to be parsed as JSON. */
export function findJsonExcess(text: string): JsonExcess | undefined {
  // A key takes four characters and its comma.
  if (text.length <= 5 * MAX_JSON_KEYS) return undefined
  const counter = createJsonCounter()
  let excess: JsonExcess | undefined
  encodeInPieces(text, (piece) => (excess ??= counter.take(piece)))
  return excess
}

const PIECE_LENGTH = 64 * 1024
const encoder = new TextEncoder()
const encoded = new Uint8Array(3 * PIECE_LENGTH)

/** Passes on a text as UTF-8, in pieces that last until `take` returns: the memory for all of it takes long to get. */
export function encodeInPieces(text: string, take: (piece: Uint8Array) => void): void {
  for (let at = 0; at < text.length; at += PIECE_LENGTH) {
    const { written } = encoder.encodeInto(text.slice(at, at + PIECE_LENGTH), encoded)
    take(encoded.subarray(0, written))
  }
}

/** As part of a sentence: `more than 50000 values`. */
export function describeJsonExcess(excess: JsonExcess): string {
  switch (excess) {
    case 'values':
      return `more than ${MAX_JSON_VALUES} values`
    case 'keys':
      return `an object of more than ${MAX_JSON_KEYS} keys`
    case 'levels':
      return 'too many levels'
  }
}
