import type { Json } from './json.ts'

/** Characters of one value in the log, at most. A larger one stands the event loop, and no client can take it. */
const MAX_CHARACTERS = 8 * 1024 * 1024
/** A deeper value overflows the code that walks it. */
const MAX_DEPTH = 1000
/** To copy and to encode so many takes some 40 ms each. */
const MAX_VALUES = 200_000
/** An object of more keys is a table, and V8 takes many times as long for it as for a list. */
const MAX_KEYS = 20_000

type JsonLimits = { readonly maxCharacters?: number; readonly maxDepth?: number }

/**
 * A copy of a value as JSON holds it. Code of others may have put anything in. `undefined`, functions and symbols
 * become `null`, or are left out of an object.
 *
 * @throws TypeError that says why JSON cannot hold it: a BigInt, a cycle, too many levels, a getter
 * that throws
 * @throws RangeError for a value that is too large, or has too many values, before it is copied
 */
export function toJson(
  value: unknown,
  { maxCharacters = MAX_CHARACTERS, maxDepth = MAX_DEPTH }: JsonLimits = {},
): Json {
  try {
    const isPlain = requireSize(value, { maxCharacters, maxDepth })
    // A function for each value makes it three times as slow.
    const replacer = isPlain ? undefined : withCollections
    return JSON.parse(JSON.stringify(value ?? null, replacer) ?? 'null') as Json
  } catch (cause) {
    if (cause instanceof RangeError) throw cause
    const reason = cause instanceof Error ? cause.message.replace(/\n.*/s, '') : String(cause)
    throw new TypeError(reason, { cause })
  }
}

/** A `Map` with texts as keys becomes an object, another one the list of its entries, and a `Set` a list. */
function withCollections(_key: string, value: unknown): unknown {
  if (value instanceof Set) return [...value]
  if (!(value instanceof Map)) return value
  const entries = [...value]
  const isObject = entries.every((entry): entry is [string, unknown] => typeof entry[0] === 'string')
  return isObject ? Object.fromEntries(entries) : entries
}

/** Counts level by level, and stops at the limit. Returns whether there are only lists and objects of fields. */
function requireSize(value: unknown, { maxCharacters, maxDepth }: Required<JsonLimits>): boolean {
  let room = maxCharacters
  let values = 0
  let isPlain = true
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth)
      throw new TypeError(`it is nested deeper than ${maxDepth} levels, or contains itself`)
    values += level.length
    const below: unknown[] = []
    for (const each of level) {
      room -= ownSize(each)
      if (ArrayBuffer.isView(each)) values += each.byteLength
      if (room < 0) throw new RangeError(`it is larger than ${maxCharacters} characters`)
      if (values + below.length > MAX_VALUES) throw new RangeError(`it has more than ${MAX_VALUES} values`)
      if (!pushChildren(each, below, room)) isPlain = false
    }
    level = below
  }
  return isPlain
}

/** Characters of a value without what it contains, about. */
function ownSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  // JSON has a number for each byte: in a list of a Buffer, and with its place as a name in other arrays of bytes.
  if (ArrayBuffer.isView(value)) return value.byteLength * ('toJSON' in value ? 2 : 10)
  if (Array.isArray(value)) return value.length + 2
  const keys = Object.keys(value)
  if (keys.length > MAX_KEYS) throw new RangeError(`it has an object of more than ${MAX_KEYS} keys`)
  return keys.reduce((sum, key) => sum + key.length + 4, 2)
}

/** Adds the contained values, unless they have no room in any case. Returns whether JSON takes the value as it is. */
function pushChildren(value: unknown, children: unknown[], room: number): boolean {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return true
  // An object with `toJSON` is read by `JSON.stringify` only: its fields are not what JSON has of it.
  if ('toJSON' in value && typeof value.toJSON === 'function') return value instanceof Date
  const isCollection = value instanceof Map || value instanceof Set
  const all = isCollection || Array.isArray(value) ? (value as Iterable<unknown>) : Object.values(value)
  for (const child of all) {
    if (children.length > room) break
    children.push(child)
  }
  return !isCollection
}
