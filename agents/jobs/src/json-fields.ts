import { isJsonObject, type Json } from 'dragoman/events'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'

/** Reads fields of JSON that somebody else wrote: a field may be absent, null, or of another type. */

const MAX_ITEMS = 200
const MAX_LINE_LENGTH = 300
/** Numbers below this are seconds since 1970, others are milliseconds. */
const MIN_MILLISECONDS = 1e11

type Field = Json | undefined

/** The value at a path. */
export function valueAt(json: Field, ...path: readonly string[]): Field {
  let found = json
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)]
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = found[key]
    else return undefined
  }
  return found
}

/** The text or number at a path, as text; '' for anything else. */
export function textAt(json: Field, ...path: readonly string[]): string {
  const value = valueAt(json, ...path)
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}

/** The same on one line of at most 300 characters. */
export function lineAt(json: Field, ...path: readonly string[]): string {
  return toSingleLine(textAt(json, ...path), MAX_LINE_LENGTH)
}

/** The items of a list, or the values of an object; at most 200. */
export function listAt(json: Field, ...path: readonly string[]): readonly Json[] {
  const value = valueAt(json, ...path)
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS)
  return isJsonObject(value) ? Object.values(value).slice(0, MAX_ITEMS) : []
}

/** The time at a path as ISO: it may be a day, an ISO time, or seconds or milliseconds since 1970. */
export function timeAt(json: Field, ...path: readonly string[]): string | null {
  const value = valueAt(json, ...path)
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const time = new Date(typeof value === 'number' && value < MIN_MILLISECONDS ? value * 1000 : value)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
