import { isJsonObject, type Json } from '../../../events/index.ts'
import type { OpenApiDocument, PathOperation, Schema } from './document.ts'

type OperationReference = { readonly verb: string; readonly path: string; readonly operation: PathOperation }

/** A command that asks what the examples of a route's schemas say. */
export function curlExample(
  { verb, path, operation }: OperationReference,
  document: OpenApiDocument,
  origin: string,
): string {
  const queryPairs = operation.parameters.flatMap(({ name, in: place, schema }) => {
    const value = exampleOf(schema, document)
    return typeof value === 'string' || typeof value === 'number' ? [{ name, place, value: `${value}` }] : []
  })
  const address = path.replace(/\{(\w+)\}/g, (hole, name: string) =>
    encodeURIComponent(queryPairs.find((each) => each.place === 'path' && each.name === name)?.value ?? hole),
  )
  const query = new URLSearchParams(
    queryPairs
      .filter(({ place }) => place === 'query')
      .map(({ name, value }): [string, string] => [name, value]),
  )
  const body = operation.requestBody?.content['application/json']?.schema
  const example = body && exampleOf(body, document)
  const form = body === undefined ? operation.requestBody?.content['multipart/form-data']?.schema : undefined
  const streams = Object.values(operation.responses['200']?.content ?? {}).some(
    ({ schema }) => schema?.['type'] === 'string',
  )
  const words = [
    `curl${streams ? ' -N' : ''}`,
    verb === 'get' || (verb === 'post' && (example ?? form) !== undefined) ? '' : ` -X ${verb.toUpperCase()}`,
    ` ${shellQuote(origin + address + (query.size > 0 ? `?${query.toString()}` : ''))}`,
    example === undefined
      ? ''
      : ` -H 'content-type: application/json' \\\n  -d ${shellQuote(JSON.stringify(example))}`,
    ...filesOf(form).map((name) => ` -F ${name}=@FILE`),
  ]
  return words.join('')
}

/** The fields of a form that are files. */
function filesOf({ properties }: Schema = {}): string[] {
  return Object.entries(properties ?? {}).flatMap(([name, field]) =>
    isJsonObject(field) && field['format'] === 'binary' ? [name] : [],
  )
}

/** The first example that a schema has, or one of those that it is made of. */
function exampleOf(schema: Schema, document: OpenApiDocument): Json | undefined {
  const { examples, $ref: reference } = schema
  if (Array.isArray(examples)) return examples[0] as Json
  if (typeof reference === 'string') {
    const named = document.components.schemas[reference.slice(reference.lastIndexOf('/') + 1)]
    return named && exampleOf(named, document)
  }
  const parts = [schema['anyOf'], schema['allOf']].filter((held) => Array.isArray(held)).flat() as Schema[]
  return parts.map((part) => exampleOf(part, document)).find((example) => example !== undefined)
}

/** As a shell reads it as one word. */
function shellQuote(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
