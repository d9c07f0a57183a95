import { canonicalJson, isJsonObject, type Json } from '../../events/index.ts'
import { resolveReference, type JsonSchema } from './json-schema.ts'

const MAX_LEVELS = 8
/** Branches and references that are followed: a short schema may have any number of them. */
const MAX_SCHEMAS = 100
const MAX_BRANCHES_IN_NOTE = 10
/** What providers refuse at the top of a schema. */
const REFUSED = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const', '$ref', 'if', 'then', 'else'] as const

type Properties = Readonly<Record<string, Json>>

/** What a schema says of the fields of an object. A note says what `required` cannot. */
type Fields = {
  readonly properties: Properties
  readonly required: readonly string[]
  readonly notes: readonly string[]
}

/**
 * Merges the unions and references at the top of a schema into one object that accepts all that the schema accepts.
 * A schema of something else than an object stays as it is.
 */
export function mergeTopLevel(schema: JsonSchema): JsonSchema {
  const fields = fieldsOf(schema, { root: schema, left: MAX_SCHEMAS }, MAX_LEVELS)
  if (!fields) return schema
  const isPlain = schema['type'] === 'object' && isJsonObject(schema['properties'])
  if (isPlain && REFUSED.every((keyword) => schema[keyword] === undefined)) return schema
  const rest = Object.entries(schema).filter(([keyword]) => !REFUSED.some((each) => each === keyword))
  const { properties, required, notes } = fields
  const description = textsOf([schema['description'] ?? '', ...notes]).filter((each) => each !== '')
  return {
    ...Object.fromEntries(rest),
    type: 'object',
    ...(description.length > 0 && { description: description.join(' ') }),
    properties,
    ...(required.length > 0 && { required }),
  }
}

type Walk = { readonly root: JsonSchema; left: number }

/** Undefined if the schema accepts no object. */
function fieldsOf(schema: Json, walk: Walk, levels: number): Fields | undefined {
  // What is not followed may be anything.
  if (schema === true || levels === 0 || walk.left === 0) return { properties: {}, required: [], notes: [] }
  if (!isJsonObject(schema) || !acceptsObject(schema['type'])) return undefined
  walk.left--
  const read = (each: Json): readonly Fields[] => {
    const fields = fieldsOf(each, walk, levels - 1)
    return fields ? [fields] : []
  }
  const target = resolveReference(walk.root, schema['$ref'])
  const own: Fields = {
    properties: isJsonObject(schema['properties']) ? schema['properties'] : {},
    required: textsOf(schema['required']),
    notes: [],
  }
  const all = [own, ...(target === undefined ? [] : read(target)), ...listOf(schema['allOf']).flatMap(read)]
  const unions = [schema['anyOf'], schema['oneOf']].flatMap((each) => {
    const branches = listOf(each)
    return branches.length === 0 ? [] : [branches.flatMap(read)]
  })
  if (unions.some((branches) => branches.length === 0)) return undefined
  const optional = [schema['then'], schema['else']].flatMap((each) => (each === undefined ? [] : read(each)))
  const merged = all.reduce((one, other) => ({
    properties: mergeProperties(one.properties, other.properties, intersect),
    required: unique([...one.required, ...other.required]),
    notes: [...one.notes, ...other.notes],
  }))
  const unionFields = unions.map((branches) => eitherOf(branches, merged.required))
  const added = [
    ...unionFields,
    ...optional.map(({ properties }) => ({ properties, required: [], notes: [] })),
  ]
  return added.reduce(
    (base, { properties, required, notes }) => ({
      properties: mergeProperties(base.properties, properties, intersect),
      required: unique([...base.required, ...required]),
      notes: [...base.notes, ...notes],
    }),
    merged,
  )
}

/** The fields of all branches. Only what each branch requires is required. */
function eitherOf(branches: readonly Fields[], base: readonly string[]): Fields {
  const properties = branches.reduce<Properties>(
    (found, branch) => mergeProperties(found, branch.properties, unite),
    {},
  )
  const required = (branches[0]?.required ?? []).filter((name) =>
    branches.every((branch) => branch.required.includes(name)),
  )
  const groups = branches.map((branch) =>
    branch.required.filter((name) => !required.includes(name) && !base.includes(name)),
  )
  const isChoice = branches.length > 1 && groups.every((group) => group.length > 0)
  const words = unique(groups.map((group) => group.join(' and '))).slice(0, MAX_BRANCHES_IN_NOTE)
  return { properties, required, notes: isChoice ? [`Required: ${words.join(', or ')}.`] : [] }
}

function mergeProperties(
  one: Properties,
  other: Properties,
  merge: (one: Json, other: Json) => Json,
): Properties {
  const merged = new Map(Object.entries(one))
  for (const [name, schema] of Object.entries(other)) {
    const earlier = merged.get(name)
    merged.set(name, earlier === undefined ? schema : merge(earlier, schema))
  }
  // Not assigned: a property may have the name __proto__.
  return Object.fromEntries(merged)
}

/** A property that each of two schemas describes. */
function intersect(one: Json, other: Json): Json {
  return isJsonObject(one) && isJsonObject(other) ? { ...other, ...one } : isJsonObject(one) ? one : other
}

/** A property that one of two schemas describes. Constants that tell branches apart become one list. */
function unite(one: Json, other: Json): Json {
  if (one === other || canonicalJson(one) === canonicalJson(other)) return one
  const [values, others] = [valuesOf(one), valuesOf(other)]
  if (values && others && isJsonObject(one)) {
    const { const: _, ...rest } = one
    return { ...rest, enum: uniqueJson([...values, ...others]) }
  }
  return { anyOf: [...choicesOf(one), other] }
}

function valuesOf(schema: Json): readonly Json[] | undefined {
  if (!isJsonObject(schema)) return undefined
  if (schema['const'] !== undefined) return [schema['const']]
  return Array.isArray(schema['enum']) ? (schema['enum'] as readonly Json[]) : undefined
}

function choicesOf(schema: Json): readonly Json[] {
  return isJsonObject(schema) && Object.keys(schema).join() === 'anyOf' ? listOf(schema['anyOf']) : [schema]
}

function acceptsObject(type: Json | undefined): boolean {
  const types = Array.isArray(type) ? (type as readonly Json[]) : [type ?? 'object']
  return types.some((each) => typeof each === 'string' && each.toLowerCase() === 'object')
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : []
}

function textsOf(value: Json | undefined): readonly string[] {
  return listOf(value).filter((each) => typeof each === 'string')
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)]
}

function uniqueJson(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()]
}
