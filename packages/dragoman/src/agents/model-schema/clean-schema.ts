import { isJsonObject, type Json } from '../../events/index.ts'
import { resolveReference, type JsonSchema } from './json-schema.ts'

/** A provider reads no schema that is deeper. */
const MAX_LEVELS = 64

/** Names of types in other languages, and in OpenAPI. */
const TYPES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'].map((type) => [type, type]),
  ),
  str: 'string',
  text: 'string',
  int: 'integer',
  long: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  dict: 'object',
  list: 'array',
}

/** What a keyword holds in draft 2020-12. Other keywords are annotations, and stay. */
const KEYWORDS: Readonly<
  Record<string, 'schema' | 'schemas' | 'named-schemas' | ((value: Json) => boolean)>
> = {
  ...keywords(
    ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'],
    'schema',
  ),
  ...keywords(['unevaluatedItems', 'unevaluatedProperties'], 'schema'),
  ...keywords(['anyOf', 'oneOf', 'allOf', 'prefixItems'], 'schemas'),
  ...keywords(
    ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'],
    'named-schemas',
  ),
  ...keywords(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], isNumber),
  multipleOf: (value) => isNumber(value) && value > 0,
  ...keywords(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], isCount),
  ...keywords(['minContains', 'maxContains'], isCount),
  ...keywords(['title', 'description', 'format', '$comment', 'contentEncoding', 'contentMediaType'], isText),
  pattern: isPattern,
  ...keywords(['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'], (value) => typeof value === 'boolean'),
  enum: (value) => Array.isArray(value) && value.length > 0,
  examples: (value) => Array.isArray(value),
  ...keywords(
    ['$id', 'id', '$schema', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef'],
    () => false,
  ),
  ...keywords(['$recursiveAnchor', '$vocabulary', 'dependencies', 'additionalItems'], () => false),
}

/**
 * The schema in draft 2020-12, the version that providers check. What is no schema accepts everything, a keyword with
 * a value that it cannot have is left out, and so is a reference that leads nowhere. A valid schema stays as it is.
 */
export function cleanSchema(schema: JsonSchema): JsonSchema {
  const { $schema, ...rest } = schema
  return { ...(isText($schema) && { $schema }), ...cleaned(rest, schema, MAX_LEVELS) }
}

function cleaned(schema: Json, root: JsonSchema, levels: number): JsonSchema {
  if (!isJsonObject(schema) || levels === 0) return schema === false ? { not: {} } : {}
  const clean = (each: Json): JsonSchema => cleaned(each, root, levels - 1)
  const entries = Object.entries(modernized(schema)).flatMap(
    ([keyword, value]): (readonly [string, Json])[] => {
      const kind = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined
      if (keyword === '$ref') return resolveReference(root, value) === undefined ? [] : [[keyword, value]]
      if (keyword === 'type') return typeOf(value)
      if (keyword === 'required') return namesOf(value)
      if (kind === undefined) return [[keyword, value]]
      if (typeof kind === 'function') return kind(value) ? [[keyword, value]] : []
      if (kind === 'schema' && (isJsonObject(value) || typeof value === 'boolean'))
        return [[keyword, typeof value === 'boolean' ? value : clean(value)]]
      if (kind === 'schemas' && Array.isArray(value) && value.length > 0)
        return [[keyword, (value as readonly Json[]).map(clean)]]
      if (kind === 'named-schemas' && isJsonObject(value))
        return [
          [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, clean(each)]))],
        ]
      return []
    },
  )
  return Object.fromEntries(entries)
}

/** Forms of earlier drafts: limits that are true, `required` within a property, lists of items, `dependencies`. */
function modernized(schema: JsonSchema): JsonSchema {
  const { items, properties, required, exclusiveMinimum, exclusiveMaximum, minimum, maximum } = schema
  const requiredNames = isJsonObject(properties)
    ? Object.entries(properties).flatMap(([name, each]) =>
        isJsonObject(each) && each['required'] === true ? [name] : [],
      )
    : []
  return {
    ...schema,
    ...(exclusiveMinimum === true && minimum !== undefined && { exclusiveMinimum: minimum }),
    ...(exclusiveMaximum === true && maximum !== undefined && { exclusiveMaximum: maximum }),
    ...(Array.isArray(items) && { prefixItems: items, items: schema['additionalItems'] ?? true }),
    ...(requiredNames.length > 0 && {
      required: [...(Array.isArray(required) ? (required as readonly Json[]) : []), ...requiredNames],
    }),
  }
}

function typeOf(value: Json): (readonly [string, Json])[] {
  const names = (Array.isArray(value) ? (value as readonly Json[]) : [value]).map((each) =>
    typeof each === 'string' && Object.hasOwn(TYPES, each.toLowerCase())
      ? TYPES[each.toLowerCase()]
      : undefined,
  )
  const types = [...new Set(names)].filter((each) => each !== undefined)
  // An unknown type may be any.
  if (types.length === 0 || names.includes(undefined)) return []
  return [['type', Array.isArray(value) ? types : (types[0] ?? '')]]
}

function namesOf(value: Json): (readonly [string, Json])[] {
  if (!Array.isArray(value)) return []
  return [['required', [...new Set((value as readonly Json[]).filter((each) => typeof each === 'string'))]]]
}

function keywords<Kind>(names: readonly string[], kind: Kind): Readonly<Record<string, Kind>> {
  return Object.fromEntries(names.map((name) => [name, kind]))
}

function isNumber(value: Json): value is number {
  return typeof value === 'number'
}

function isCount(value: Json): boolean {
  return Number.isInteger(value) && Number(value) >= 0
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string'
}

function isPattern(value: Json): boolean {
  if (!isText(value)) return false
  try {
    // It is only compiled, for a text of at most 1 characters.
    return new RegExp(value) instanceof RegExp
  } catch {
    return false
  }
}
