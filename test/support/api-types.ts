import { isJsonObject, type Json } from '../../packages/dragoman/src/events/index.ts'
import { operationsOf, type Document, type Operation, type Schema } from './api-document.ts'

/** Messages and JSON have their types from the events: the document says less of their parts. */
const OF_EVENTS: Readonly<Record<string, string>> = { Message: 'Message', Json: 'Json' }

const HEAD = `/* oxlint-disable max-lines, dragoman/plain-text */
// Made from /openapi.json: \`npx vitest run test/api-types.test.ts -u\` writes it again.
import type { Json, Message } from 'dragoman/events'
`

/** The types of the server's own API, as its document describes it. */
export function apiTypes(document: Document): string {
  const operations = operationsOf(document).filter(({ path }) => path.startsWith('/v1/'))
  const { schemas } = document.components
  const named = namesIn(operations, schemas)
  return [
    HEAD,
    ...named.toSorted().map((name) => `export type ${name} = ${typeOf(schemas[name] ?? {})}\n`),
    '/** What each operation takes and returns. The body of one without `response` is a stream or a file. */',
    'export type Operations = {',
    ...operations.map((operation) => `${keyOf(operation)}: ${fieldsOf(operation)}`),
    '}\n',
  ].join('\n')
}

/** Of the schemas that the operations refer to, and those that these refer to. */
function namesIn(
  value: unknown,
  schemas: Document['components']['schemas'],
  found = new Set<string>(),
): string[] {
  if (Array.isArray(value)) for (const each of value as readonly Json[]) namesIn(each, schemas, found)
  else if (isJsonObject(value))
    for (const [key, each] of Object.entries(value)) {
      const name = key === '$ref' && typeof each === 'string' ? nameOf(each) : undefined
      if (name === undefined) namesIn(each, schemas, found)
      else if (!found.has(name) && !isOfEvents(name)) namesIn(schemas[name] ?? {}, schemas, found.add(name))
    }
  // Every operation can be refused with it: the client throws it.
  return [...found].filter((name) => name !== 'Error')
}

function nameOf(reference: string): string {
  return reference.replace('#/components/schemas/', '')
}

/** JSON in JSON is numbered by the converter. */
function isOfEvents(name: string): boolean {
  return name in OF_EVENTS || name.startsWith('__')
}

function keyOf({ verb, path }: Operation): string {
  return `'${verb.toUpperCase()} ${path}'`
}

function fieldsOf({ parameters, requestBody, responses }: Operation): string {
  const inPath = parameters.filter((each) => each.in === 'path').map(({ name }) => `readonly ${name}: string`)
  const inQuery = parameters
    .filter((each) => each.in === 'query')
    .map(
      ({ name, required, schema }) =>
        `${comment(schema)}readonly ${name}` +
        (required ? `: ${parameterOf(name, schema)}` : `?: ${parameterOf(name, schema)} | undefined`),
    )
  const body = requestBody?.content['application/json']?.schema
  const response = (responses['200'] ?? responses['201'])?.content
  const streams = Object.keys(response ?? {}).some((type) => type !== 'application/json')
  const json = streams ? undefined : response?.['application/json']?.schema
  return object([
    ...(inPath.length > 0 ? [`readonly path: ${object(inPath)}`] : []),
    ...(inQuery.length > 0 ? [`readonly query${isOptional(inQuery) ? '?' : ''}: ${object(inQuery)}`] : []),
    ...(body ? [`readonly body${requestBody.required ? '' : '?'}: ${typeOf(body)}`] : []),
    ...(requestBody?.content['multipart/form-data'] ? ['readonly form: FormData'] : []),
    ...(json ? [`readonly response: ${typeOf(json)}`] : []),
    ...(responses['204'] && !response ? ['readonly response: undefined'] : []),
  ])
}

/** Words in an address: a boolean is one of two. Protocols are those of the server, and packages add some. */
function parameterOf(name: string, schema: Schema): string {
  if (name === 'protocol') return 'string'
  return JSON.stringify(schema['enum']) === '["true","false"]' ? 'boolean' : typeOf(schema)
}

function isOptional(fields: readonly string[]): boolean {
  return fields.every((field) => /\?: /.test(field))
}

function object(fields: readonly string[]): string {
  return fields.length === 0 ? '{}' : `{\n${fields.join('\n')}\n}`
}

function typeOf(schema: Schema): string {
  const { $ref, type, properties, additionalProperties } = schema
  const literals = 'const' in schema ? [schema['const']] : schema['enum']
  const choices = (schema['oneOf'] ?? schema['anyOf']) as readonly Schema[] | undefined
  if (typeof $ref === 'string')
    return OF_EVENTS[nameOf($ref)] ?? (isOfEvents(nameOf($ref)) ? 'Json' : nameOf($ref))
  if (Array.isArray(literals)) return literals.map((each) => literal(each)).join(' | ')
  if (choices) return [...new Set(choices.map(typeOf))].join(' | ')
  if (Array.isArray(schema['allOf'])) return (schema['allOf'] as readonly Schema[]).map(typeOf).join(' & ')
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each as Json })).join(' | ')
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return listOf(schema)
    case 'object':
      return objectOf(properties, schema['required'], additionalProperties)
    default:
      return 'Json'
  }
}

function literal(value: Json | undefined): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

function listOf({ items = {}, prefixItems }: Schema): string {
  return Array.isArray(prefixItems)
    ? `readonly [${(prefixItems as readonly Schema[]).map(typeOf).join(', ')}]`
    : `readonly (${typeOf(items as Schema)})[]`
}

/** The type of an object that may have any other field is that of its known ones, unless it has none. */
function objectOf(properties: Json = {}, required: Json = [], others?: Json): string {
  const names = new Set(required as readonly string[])
  const fields = Object.entries(properties as Readonly<Record<string, Schema>>).map(
    ([name, schema]) =>
      `${comment(schema)}readonly ${keyName(name)}${names.has(name) ? '' : '?'}: ${typeOf(schema)}`,
  )
  const isMap = isJsonObject(others ?? null) && Object.keys(others as Schema).length > 0
  if (fields.length > 0 && !isMap) return object(fields)
  const value = isJsonObject(others ?? null) ? typeOf(others as Schema) : 'Json'
  return object([...fields, `readonly [key: string]: ${value}`])
}

function keyName(name: string): string {
  return /^\w+$/.test(name) ? name : `'${name}'`
}

function comment({ description }: Schema): string {
  return typeof description === 'string' ? `/** ${description} */\n` : ''
}
