import { isJsonObject, parseJson } from '../../events/index.ts'
import { readBody } from './read-body.ts'
import { createEventParser, type ServerEvent } from './parse-events.ts'
import type { LooseObject, JsonObject } from './json-fields.ts'

/** Returns the event as the provider's package takes it, or a clause on why it is passed over. */
export type Repair = (event: JsonObject) => LooseObject | string

/**
 * Repairs the events of a provider's stream before its package reads them. One event that the package does not know
 * fails the whole answer there, although all of it may arrive. Whether the answer is complete is decided by its
 * finish. `onPassOver` gets a clause for each event that is left out.
 */
export function repairEvents(
  repair: Repair,
  onPassOver: (what: string) => void,
): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  const parser = createEventParser()
  const write = (event: ServerEvent): string => {
    if (event.data.trim() === '[DONE]') return 'data: [DONE]\n\n'
    const value = readEvent(event)
    const repaired = value === undefined ? 'an event that is no JSON object' : repair(value)
    if (typeof repaired !== 'string') return `data: ${JSON.stringify(repaired)}\n\n`
    onPassOver(repaired)
    return ''
  }
  return new TransformStream({
    transform(chunk, controller) {
      const events = parser
        .take(decoder.decode(chunk, { stream: true }))
        .map(write)
        .join('')
      if (events !== '') controller.enqueue(encoder.encode(events))
    },
    flush(controller) {
      // The last event may lack its blank line.
      const last = parser.end()
      if (last && (last.data.trim() === '[DONE]' || isJsonObject(parseJson(last.data))))
        controller.enqueue(encoder.encode(write(last)))
      for (const event of readBody(parser.body))
        controller.enqueue(encoder.encode(`data: ${JSON.stringify(repair(event))}\n\n`))
    },
  })
}

/** Undefined for what is no object. An event that is named `error` is one, whatever it holds. */
function readEvent({ name, data }: ServerEvent): JsonObject | undefined {
  const value = parseJson(data)
  if (name !== 'error') return isJsonObject(value) ? value : undefined
  if (!isJsonObject(value)) return { type: 'error', error: data }
  return 'error' in value || 'type' in value ? value : { type: 'error', error: value }
}
