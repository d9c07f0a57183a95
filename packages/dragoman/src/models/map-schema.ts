import { isJsonObject, type Json } from '../events/index.ts'

export type JsonObject = { readonly [key: string]: Json }

/** Keywords that hold schemas by name, and those that hold no schemas. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const VALUES = new Set(['enum', 'const', 'default', 'examples', 'required'])

/** Changes a schema and all within it, the innermost first. */
export function mapSchema(schema: Json, change: (schema: JsonObject) => JsonObject): Json {
  if (Array.isArray(schema)) return (schema as readonly Json[]).map((each) => mapSchema(each, change))
  if (!isJsonObject(schema)) return schema
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (VALUES.has(keyword)) return [keyword, value]
    if (!NAMED.has(keyword) || !isJsonObject(value)) return [keyword, mapSchema(value, change)]
    const named = Object.entries(value).map(([name, each]) => [name, mapSchema(each, change)] as const)
    return [keyword, Object.fromEntries(named)]
  })
  return change(Object.fromEntries(entries))
}
