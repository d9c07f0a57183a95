import { isJsonObject, type Json } from '../events/index.ts'

type JsonObject = { readonly [key: string]: Json }

/** The fields that hold a reason, the best first. */
const NAMES = [/^errors?$/i, /(?:message|msg)$/i, /(?:detail|details|description|reason|title)$/i] as const
const MAX_DEPTH = 6

/**
 * The reason in a provider's JSON, whose form no two agree on: the words of the field that is named for it, at any
 * depth. A code is better than nothing.
 */
export function readJsonReason(json: Json | undefined, depth = 0): string | undefined {
  if (typeof json === 'string') return json.trim() === '' ? undefined : json
  if (typeof json !== 'object' || json === null || depth > MAX_DEPTH) return undefined
  if (Array.isArray(json)) return first(json as readonly Json[], (each) => readJsonReason(each, depth + 1))
  const object: JsonObject = json as JsonObject
  const fields = Object.entries(object)
  const named = first(NAMES, (name) =>
    first(
      fields.filter(([field]) => name.test(field)),
      ([, value]) => readJsonReason(value, depth + 1),
    ),
  )
  const { code, loc } = object
  if (named !== undefined) return Array.isArray(loc) ? `${loc.map(String).join('.')}: ${named}` : named
  const nested = fields.filter(([, value]) => isJsonObject(value))
  return (
    first(nested, ([, value]) => readJsonReason(value, depth + 1)) ??
    (typeof code === 'string' && code !== '' ? code : undefined)
  )
}

function first<T, R>(items: readonly T[], read: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = read(item)
    if (found !== undefined) return found
  }
  return undefined
}
