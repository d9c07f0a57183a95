import { isJsonObject, parseJson, type Json } from '../../events/index.ts'
import { pageTitle } from '../page-title.ts'
import { readProblem, type JsonObject } from './json-fields.ts'

const MAX_CHARACTERS = 200

/**
 * Reads a body that holds no events: an error, or the whole answer, of a server that does not stream.
 * @throws an error named `NoEventsError` for any other body, such as the page of a proxy
 */
export function readBody(body: string): readonly JsonObject[] {
  if (body.trim() === '') return []
  const value = parseJson(body) ?? readLines(body)
  const events = (Array.isArray(value) ? value : [value]).filter(isJsonObject)
  if (events.length > 0 && events.every(isAnswer)) return events
  throw noEventsError(
    value === undefined ? describeText(body) : `JSON: ${body.trim().slice(0, MAX_CHARACTERS)}`,
  )
}

/** The objects of a body with one in each line. */
export function readLines(text: string): Json[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.map((line) => parseJson(line.replace(DATA, '')))
  return lines.length > 1 && values.every(isJsonObject) ? values : undefined
}

/** Some gateways put the name of the field twice. */
export const DATA = /^data:\s?/

function isAnswer(value: JsonObject): boolean {
  const isWhole = value['type'] === 'message' || value['object'] === 'response'
  return isWhole || 'choices' in value || 'candidates' in value || readProblem(value) !== undefined
}

function describeText(body: string): string {
  if (!/<(?:!doctype|html|head|body)\b/i.test(body)) return `a text: ${body.trim().slice(0, MAX_CHARACTERS)}`
  const title = pageTitle(body)
  return `a page of HTML${title === undefined ? '' : `: ${title}`}`
}

/** `modelFailure` reads it, without keys. */
function noEventsError(what: string): Error {
  return Object.assign(new Error(what), { name: 'NoEventsError' })
}
