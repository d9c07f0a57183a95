import { describeJsonExcess, findJsonExcess, isJsonObject, type Json } from '../events/index.ts'
import type { CallInput } from '../agents/index.ts'

/** What a key can hold that changes an object's prototype. */
const SUSPICIOUS = /__proto__|prototype|\\u/

/** Parses a call's input as the model wrote it. No input, null or an empty string is an empty object. */
export function parseCallInput(text: string): CallInput {
  if (text.trim() === '') return { value: {} }
  const excess = findJsonExcess(text)
  if (excess) return { unreadable: '', problem: `is not as it must be: it has ${describeJsonExcess(excess)}` }
  try {
    const value = JSON.parse(text, SUSPICIOUS.test(text) ? refusePrototypeKeys : undefined) as Json
    return { value: value === '' || value === null ? {} : value }
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
