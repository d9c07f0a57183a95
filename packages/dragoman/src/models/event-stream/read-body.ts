import { isJsonObject, parseJson } from '../../events/index.ts'
import { readProblem, type JsonObject } from './json-fields.ts'

const MAX_CHARACTERS = 200

/**
 * Reads a body that holds no events: an error, or the whole answer, of a server that does not stream.
 * @throws an error named `NoEventsError` for any other body, such as the page of a proxy
 */
export function readBody(body: string): readonly JsonObject[] {
  if (body.trim() === '') return []
  const value = parseJson(body)
  const events = (Array.isArray(value) ? value : [value]).filter(isJsonObject)
  if (events.length > 0 && events.every(isAnswer)) return events
  throw noEventsError(
    value === undefined ? describeText(body) : `JSON: ${body.trim().slice(0, MAX_CHARACTERS)}`,
  )
}

function isAnswer(value: JsonObject): boolean {
  return 'choices' in value || 'candidates' in value || readProblem(value) !== undefined
}

function describeText(body: string): string {
  if (!/<(?:!doctype|html|head|body)\b/i.test(body)) return `a text: ${body.trim().slice(0, MAX_CHARACTERS)}`
  const title = /<title[^>]{0,100}>([^<]{0,200})/i.exec(body)?.[1]?.trim()
  return `a page of HTML${title ? `: ${title}` : ''}`
}

/** `modelFailure` reads it, without keys. */
function noEventsError(what: string): Error {
  return Object.assign(new Error(what), { name: 'NoEventsError' })
}
