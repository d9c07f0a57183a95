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

/** A message without such keys, as the stream has it: a client that copies its parts would set a prototype. */
export function withoutPrototypeKeys(message: Json): Json {
  if (!hasPrototypeKey(message)) return message
  return JSON.parse(JSON.stringify(message, omitPrototypeKeys)) as Json
}

function hasPrototypeKey(value: Json): boolean {
  if (Array.isArray(value)) return value.some((each: Json) => hasPrototypeKey(each))
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(
    ([key, each]) =>
      each !== undefined && (omitPrototypeKeys(key, each) === undefined || hasPrototypeKey(each)),
  )
}
