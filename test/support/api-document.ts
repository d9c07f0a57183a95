import { z } from 'zod'

import type { Json } from '../../packages/dragoman/src/index.ts'

/** What `/openapi.json` says. */
export type Schema = { readonly [key: string]: Json }
type Content = Record<string, { schema: Schema }>
export type Operation = {
  path: string
  verb: string
  operationId: string
  summary: string
  parameters: { name: string; in: string; required: boolean; schema: Schema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}
export type Document = {
  openapi: string
  paths: Record<string, Record<string, Omit<Operation, 'path' | 'verb'>>>
  components: { schemas: Record<string, Schema> }
}

export function operationsOf({ paths }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => Object.assign({ path, verb }, operation)),
  )
}

/** The path and query of a route's example. */
export function addressOf({ path, parameters }: Operation): string {
  const exampleOf = ({ schema }: { schema: Schema }): string | undefined => {
    const [example] = Array.isArray(schema['examples']) ? (schema['examples'] as Json[]) : []
    return typeof example === 'string' || typeof example === 'number' ? `${example}` : undefined
  }
  const inPath = parameters.filter((each) => each.in === 'path')
  const query = parameters.flatMap((each) => {
    const example = exampleOf(each)
    return each.in === 'query' && example !== undefined ? [`${each.name}=${encodeURIComponent(example)}`] : []
  })
  const address = inPath.reduce((so, each) => so.replace(`{${each.name}}`, exampleOf(each) ?? ''), path)
  return query.length === 0 ? address : `${address}?${query.join('&')}`
}

/** Every example of a schema, and of those that it is made of. */
export function examplesOf(document: Document, schema: Schema): Json[] {
  const { $ref: reference, examples, anyOf, allOf } = schema
  if (typeof reference === 'string') {
    return examplesOf(document, document.components.schemas[reference.split('/').at(-1) ?? ''] ?? {})
  }
  if (Array.isArray(examples)) return examples as Json[]
  return [anyOf, allOf].flatMap((held) =>
    Array.isArray(held) ? (held as Schema[]).flatMap((part) => examplesOf(document, part)) : [],
  )
}

/** Converts one of our JSON schemas to a validator. Rejects undescribed fields unless the schema allows others. */
export function validator(document: Document, schema: Schema | boolean): z.ZodType {
  const whole = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $ref: '#/$defs/it',
    $defs: { ...document.components.schemas, it: schema },
  }
  const text = JSON.stringify(whole, (_key, held: Json) => {
    const isShape = typeof held === 'object' && held !== null && 'properties' in held && 'type' in held
    return isShape && !('additionalProperties' in held) ? { ...held, additionalProperties: false } : held
  })
  return z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')))
}
