import { ServiceError } from '../../errors.ts'
import { createJsonCounter, MAX_JSON_KEYS, MAX_JSON_VALUES, type JsonExcess } from '../../events/index.ts'
import { MAX_JSON_LEVELS } from '../fan-out/index.ts'
import { newestMessages } from './newest-messages.ts'

/** Pages send their whole conversation with each message, with all outcomes of tools. */
export const MAX_CHAT_VALUES = 10 * MAX_JSON_VALUES
/**
 * Counts the values, the keys of each object and the nesting of JSON before it is parsed, in pieces as they arrive. It
 * returns the values so far.
 * @throws ServiceError `invalid-request`
 */
export function createJsonValueCounter(
  maxLevels = MAX_JSON_LEVELS,
  maxValues = MAX_JSON_VALUES,
): (piece: Uint8Array) => number {
  const counter = createJsonCounter({ maxValues, maxLevels })
  return (piece) => {
    const excess = counter.take(piece)
    if (excess) throw refusals[excess]()
    return counter.values()
  }
}

/**
 * The body of a chat, which has so many values, with no more of its newest messages than a body may have values.
 * @throws ServiceError `invalid-request` if the rest has too many
 */
export function limitChatValues(body: Buffer, values: number): Buffer {
  if (values <= MAX_JSON_VALUES) return body
  const newest = newestMessages(body, MAX_JSON_VALUES)
  createJsonValueCounter(Infinity)(newest)
  return newest
}

/** Created on demand: number formatting loads large locale data. */
const refusals: Readonly<Record<JsonExcess, () => ServiceError>> = {
  levels: () =>
    new ServiceError('invalid-request', `The body is nested deeper than ${MAX_JSON_LEVELS} levels`),
  keys: () =>
    new ServiceError('invalid-request', `An object of the body may have at most ${MAX_JSON_KEYS} keys`),
  values: () =>
    new ServiceError(
      'invalid-request',
      `The body may hold at most ${MAX_JSON_VALUES.toLocaleString('en-US')} values`,
    ),
}
