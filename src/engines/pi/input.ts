import { isJsonObject, type Json } from '../../events/index.ts'
import type { CallInput } from '../engine.ts'

/** A call's input as the model wrote it. Nothing at all is an empty object, also where it is written as an empty text. */
export function readInput(text: string): CallInput {
  if (text.trim() === '') return { value: {} }
  try {
    const value = JSON.parse(text, harmless) as Json
    return { value: value === '' ? {} : value }
  } catch {
    return { unreadable: text }
  }
}

/** Keys that would change what an object is, where somebody copies it, are no input. */
function harmless(key: string, value: unknown): unknown {
  const poisoned =
    key === '__proto__' || (key === 'constructor' && isJsonObject(value) && 'prototype' in value)
  if (poisoned) throw new SyntaxError(`The key ${key} is not taken.`)
  return value
}
