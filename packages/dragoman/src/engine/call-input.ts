import { isJsonObject, type Json } from '../events/index.ts'
import type { CallInput } from '../agents/index.ts'

/** Parses a call's input as the model wrote it. No input, or an empty string, is an empty object. */
export function readInput(text: string): CallInput {
  if (text.trim() === '') return { value: {} }
  try {
    const value = JSON.parse(text, refusePoisonedKeys) as Json
    return { value: value === '' ? {} : value }
  } catch {
    return { unreadable: text }
  }
}

/** Refuses keys that change an object's prototype when the object is copied. */
function refusePoisonedKeys(key: string, value: unknown): unknown {
  const poisoned =
    key === '__proto__' || (key === 'constructor' && isJsonObject(value) && 'prototype' in value)
  if (poisoned) throw new SyntaxError(`The key ${key} is not taken.`)
  return value
}
