import { isJsonObject, type Json } from '../events/index.ts'

/**
 * For `JSON.stringify`: leaves out the keys that might change a prototype. The AI SDK's clients refuse JSON that
 * has one.
 */
export function omitPrototypeKeys(key: string, value: Json): Json | undefined {
  if (key === '__proto__') return undefined
  if (key !== 'constructor') return value
  return value === null || (isJsonObject(value) && Object.hasOwn(value, 'prototype')) ? undefined : value
}
