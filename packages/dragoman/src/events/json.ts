/**
 * Any value that JSON can hold.
 *
 * @example
 * const value: Json = { sides: 6, rolled: [4, 2], note: null }
 */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json }

/** Whether a value is a JSON object: neither null nor an array. */
export function isJsonObject(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Parses JSON. Returns undefined for an invalid text. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** A text that is equal for equal values, whatever the order of their keys. */
export function canonicalJson(value: Json): string {
  return JSON.stringify(value, (_key, field: Json) =>
    isJsonObject(field)
      ? Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  )
}
