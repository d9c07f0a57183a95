import { isJsonObject, type Json } from '../events/index.ts'
import type { JsonObject } from './map-schema.ts'

const TYPES: ReadonlySet<Json> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array'])
/** What is deeper is a text. */
const MAX_LEVELS = 16

/**
 * A schema in the keywords that every provider takes: types, properties, items and texts to choose from. It says less
 * than the whole one, so the tool still has to check its input.
 */
export function plainSchema(schema: Json, levels: number = MAX_LEVELS): JsonObject {
  const own = isJsonObject(schema) ? schema : {}
  const { description, properties, required, items, enum: values } = own
  const type = typeOf(own)
  const choices = [own['anyOf'], own['oneOf'], own['allOf']].find((each) => Array.isArray(each))
  const choice = choices?.find((each: Json) => isJsonObject(each) && each['type'] !== 'null')
  if (type === undefined && choice !== undefined && levels > 0)
    return { ...plainSchema(choice, levels - 1), ...note(description) }
  if (type === 'object' && levels > 0) {
    const named = Object.entries(isJsonObject(properties) ? properties : {})
    const names = Array.isArray(required) ? (required as readonly Json[]) : []
    const needed = names.filter((name) => named.some(([each]) => each === name))
    return {
      type,
      ...note(description),
      properties: Object.fromEntries(named.map(([name, each]) => [name, plainSchema(each, levels - 1)])),
      ...(needed.length > 0 && { required: needed }),
    }
  }
  if (type === 'array' && levels > 0)
    return { type, ...note(description), items: plainSchema(items ?? null, levels - 1) }
  const isSimple = type !== undefined && type !== 'object' && type !== 'array'
  const isChoice =
    Array.isArray(values) && values.every((each: Json) => typeof each === 'string' && each !== '')
  return {
    type: isSimple ? type : 'string',
    ...note(description),
    ...(isChoice && (type ?? 'string') === 'string' && { enum: values }),
  }
}

function typeOf({ type, properties, items }: JsonObject): Json | undefined {
  const name = [type].flat().find((each) => each !== undefined && TYPES.has(each))
  if (name !== undefined) return name
  if (isJsonObject(properties ?? null)) return 'object'
  return isJsonObject(items ?? null) ? 'array' : undefined
}

function note(description: Json | undefined): { readonly description?: string } {
  return typeof description === 'string' && description !== '' ? { description } : {}
}
