import { isJsonObject, type Json } from '../events/index.ts'
import type { CallInput } from '../agents/index.ts'

/** Parses a call's input as the model wrote it. No input, or an empty string, is an empty object. */
export function parseCallInput(text: string): CallInput {
  if (text.trim() === '') return { value: {} }
  try {
    const value = JSON.parse(text, refusePrototypeKeys) as Json
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
