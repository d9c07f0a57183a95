import { textEnd } from './body-buffer.ts'

const [QUOTE, COMMA, BRACKET, BRACE, BRACKET_END, BRACE_END] = Buffer.from('",[{]}')

/** A message of a body: where it begins, and the values up to the next one. */
type Place = { readonly start: number; values: number }

/**
 * The JSON body of a chat without the oldest of its `messages`, so that it has at most so many values. The newest
 * message stays, however many it has.
 */
export function newestMessages(body: Buffer, maxValues: number): Buffer {
  const { values, messages } = findMessages(body)
  let rest = values
  let first = 0
  while (rest > maxValues && first < messages.length - 1) {
    rest -= messages[first]?.values ?? 0
    first += 1
  }
  const [oldest, newest] = [messages[0], messages[first]]
  if (first === 0 || !oldest || !newest) return body
  return Buffer.concat([body.subarray(0, oldest.start), body.subarray(newest.start)])
}

function findMessages(body: Buffer): { readonly values: number; readonly messages: readonly Place[] } {
  const messages: Place[] = []
  let values = 0
  let depth = 0
  /** The last text of the body's own object: before a value, its key. */
  let key = ''
  let isInMessages = false
  const count = (): void => {
    values += 1
    const message = isInMessages ? messages.at(-1) : undefined
    if (message) message.values += 1
  }
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at]
    if (byte === QUOTE) {
      const end = textEnd(body, at + 1, false)
      if (end < 0) break
      if (depth === 1) key = body.toString('latin1', at + 1, Math.min(end, at + 20))
      at = end
    } else if (byte === COMMA) count()
    else if (byte === BRACKET_END || byte === BRACE_END) {
      depth -= 1
      if (depth === 1) isInMessages = false
    } else if (byte === BRACKET || byte === BRACE) {
      depth += 1
      if (depth === 2) isInMessages = byte === BRACKET && key === 'messages'
      if (depth === 3 && isInMessages) messages.push({ start: at, values: 0 })
      count()
    }
  }
  return { values, messages }
}
