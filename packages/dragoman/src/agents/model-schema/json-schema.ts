import { isJsonObject, type Json } from '../../events/index.ts'

export type JsonSchema = { readonly [keyword: string]: Json }

/** Follows a reference within the schema. Undefined if there is nothing, or if it leads elsewhere. */
export function resolveReference(root: JsonSchema, reference: Json | undefined): Json | undefined {
  if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) return undefined
  const keys = reference.split('/').slice(1).map(readKey)
  return keys.reduce<Json | undefined>((found, key) => {
    if (Array.isArray(found)) return (found as readonly Json[])[Number(key)]
    return isJsonObject(found) && Object.hasOwn(found, key) ? found[key] : undefined
  }, root)
}

function readKey(part: string): string {
  const text = /%(?![\da-f]{2})/i.test(part) ? part : decodeURIComponent(part)
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}
