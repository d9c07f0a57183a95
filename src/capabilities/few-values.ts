import { setImmediate } from 'node:timers/promises'

import { ServiceError } from '../errors.ts'

/** None of our bodies holds more; millions take JSON.parse many seconds, in which nobody else is answered. */
const MOST_VALUES = 100_000
/** What is deeper than any of our schemas wants would overflow those who walk it. */
const MOST_LEVELS = 200
/** To look through so many bytes takes some milliseconds: then others have their turn. */
const PIECE = 2_000_000

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = Buffer.from('"\\,[{]}')

/** Looks through JSON for how many values it holds, and how deep, before anything is made of it. @throws ServiceError `invalid-request` */
export async function fewValues(json: Uint8Array): Promise<void> {
  let values = 0
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at += 1) {
    if (at % PIECE === PIECE - 1) await setImmediate()
    const byte = json[at]
    if (byte === QUOTE) inText = !inText
    else if (inText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === COMMA) values += 1
    else if (byte === BRACKET_END || byte === BRACE_END) depth -= 1
    else if (byte === BRACKET || byte === BRACE) {
      values += 1
      depth += 1
      if (depth > MOST_LEVELS) throw tooDeep()
    }
    if (values > MOST_VALUES) throw tooMany()
  }
}

function tooDeep(): ServiceError {
  return new ServiceError('invalid-request', `The body is nested deeper than ${MOST_LEVELS} levels`)
}

/** Made when it is needed: to set numbers in English loads much of what the machine knows of languages. */
function tooMany(): ServiceError {
  return new ServiceError(
    'invalid-request',
    `The body may hold at most ${MOST_VALUES.toLocaleString('en-US')} values`,
  )
}
