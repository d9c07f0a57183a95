import { isJsonObject, type Json } from '../events/index.ts'
import type { CallInput } from '../agents/index.ts'

/** As many as a body of a request may have. Many more take long to walk, however short they are. */
const MAX_VALUES = 50_000
/** What a key can hold that changes an object's prototype. */
const SUSPICIOUS = /__proto__|prototype|\\u/

/** Parses a call's input as the model wrote it. No input, or an empty string, is an empty object. */
export function parseCallInput(text: string): CallInput {
  if (text.trim() === '') return { value: {} }
  if (hasTooManyValues(text)) return { unreadable: '', problem: `has more than ${MAX_VALUES} values` }
  try {
    const value = JSON.parse(text, SUSPICIOUS.test(text) ? refusePrototypeKeys : undefined) as Json
    return { value: value === '' ? {} : value }
  } catch {
    return { unreadable: text }
  }
}

/** Refuses keys that change an object's prototype when the object is copied. */
function refusePrototypeKeys(key: string, value: unknown): unknown {
  const isForbidden =
    key === '__proto__' || (key === 'constructor' && isJsonObject(value) && 'prototype' in value)
  if (isForbidden) throw new SyntaxError(`The key ${key} is not taken.`)
  return value
}

/** Counts the commas and brackets outside of strings. */
function hasTooManyValues(text: string): boolean {
  if (text.length <= MAX_VALUES) return false
  let values = 0
  let isInString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isInString && sign === '\\') at++
    else if (sign === '"') isInString = !isInString
    else if (!isInString && (sign === ',' || sign === '[' || sign === '{')) values++
  }
  return values > MAX_VALUES
}
