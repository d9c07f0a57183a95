import { isDeepStrictEqual } from 'node:util'

import { z } from 'zod'

import { operationOf, type OperationResponse, type Operation } from '../../../agents/index.ts'
import { codeStatus, errorCodes, type ErrorCode } from '../../../errors.ts'
import type { Json } from '../../../events/index.ts'

export type Schema = { readonly [key: string]: Json }
export type Parameter = {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly schema: Schema
}
type Content = Readonly<Record<string, { readonly schema?: Schema; readonly examples?: Examples }>>
type Examples = Readonly<Record<string, { readonly value: Json }>>
export type Response = {
  readonly description: string
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>>
  readonly content?: Content
}
export type PathOperation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}
/** What we write of OpenAPI 3.1. */
export type OpenApiDocument = {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, PathOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

/** A route as Hono lists it: one for each of its handlers. */
export type Route = { readonly method: string; readonly path: string; readonly handler: object }

const errorShape = z
  .looseObject({
    error: z.string().describe('A sentence for people.'),
    code: z.enum(errorCodes),
    retryAfter: z.number().optional().describe('Seconds; also the header retry-after.'),
  })
  .meta({ id: 'Error' })

/** A route of which nothing is said is listed all the same. */
const UNKNOWN: Operation = {
  group: 'Other',
  summary: 'Not described',
  responses: { 200: { description: 'What it gives.' } },
}

/** Describes the routes that there are, each by its description. */
export function openApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const schemas: Record<string, Schema> = {}
  const paths: Record<string, Record<string, PathOperation>> = {}
  const tags = new Set<string>()
  // Middleware is no route.
  const answering = routes.filter(({ method }) => method !== 'ALL')
  for (const [address, handlers] of Map.groupBy(answering, ({ method, path }) => `${method} ${path}`)) {
    const [method = '', path = ''] = address.split(' ')
    const verb = method.toLowerCase()
    const operation = handlers.map(({ handler }) => operationOf(handler)).find(Boolean) ?? UNKNOWN
    tags.add(operation.group)
    ;(paths[templateOf(path)] ??= {})[verb] = describe(operation, { verb, path, schemas })
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'dragoman',
      version,
      description:
        'Streaming agent chat: a run is a log, and any client follows it in the protocol that it speaks.',
    },
    tags: Array.from(tags, (name) => ({ name })),
    paths,
    components: { schemas },
  }
}

/** `/runs/:id{[a-z]+}` reads `/runs/{id}`. */
function templateOf(path: string): string {
  return path.replace(/:(\w+)(?:\{[^{}]*\})?\??/g, '{$1}')
}

type Place = { readonly verb: string; readonly path: string; readonly schemas: Record<string, Schema> }

function describe(operation: Operation, { verb, path, schemas }: Place): PathOperation {
  const names = Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)
  const params = operation.params ?? z.object(Object.fromEntries(names.map((name) => [name, z.string()])))
  const responses = Object.entries(operation.responses).map(([status, answer]) => [
    status,
    toResponse(answer, schemas),
  ])
  const { group, summary, description, query, headers } = operation
  return {
    operationId: [verb, ...(path.match(/\w+/g) ?? [])].join('_'),
    tags: [group],
    summary,
    ...(description !== undefined && { description }),
    parameters: [
      ...parametersOf('path', params),
      ...parametersOf('query', query),
      ...parametersOf('header', headers),
    ],
    ...requestOf(operation, schemas),
    responses: { ...Object.fromEntries(responses), ...failures(operation, schemas) },
  }
}

function requestOf({ body, form }: Operation, schemas: Place['schemas']): Pick<PathOperation, 'requestBody'> {
  if (!body && !form) return {}
  const content = {
    ...(body && { 'application/json': { schema: toSchema(body, 'input', schemas) } }),
    ...(form && { 'multipart/form-data': { schema: toSchema(form, 'input', schemas) } }),
  }
  return { requestBody: { required: !body?.safeParse(undefined).success, content } }
}

function parametersOf(place: Parameter['in'], shape: z.ZodObject | undefined): Parameter[] {
  if (!shape) return []
  const { required = [] } = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' })
  return Object.entries(shape.shape).map(([name, field]) => {
    // A text in the address that stands for a number: what it becomes is what it means.
    const schema = toSchema(field as z.ZodType, 'output', {})
    return { name, in: place, required: required.includes(name), schema }
  })
}

function toResponse(
  { description, headers, json, examples, contentType: only, streams = [] }: OperationResponse,
  schemas: Place['schemas'],
) {
  const content: Record<string, { schema: Schema; examples?: Record<string, { value: Json }> }> = {}
  if (only !== undefined) content[only] = { schema: { type: 'string' } }
  for (const { contentType: type, protocol, example } of streams) {
    const { examples: others } = (content[type] ??= { schema: { type: 'string' } })
    content[type] = { schema: { type: 'string' }, examples: { ...others, [protocol]: { value: example } } }
  }
  if (json) {
    const values = Object.entries(examples ?? {}).map(([name, value]) => [name, { value }])
    content['application/json'] = {
      schema: toSchema(json, 'input', schemas),
      ...(values.length > 0 && { examples: Object.fromEntries(values) }),
    }
  }
  const described = Object.entries(headers ?? {}).map(([name, words]) => [
    name,
    { description: words, schema: { type: 'string' } },
  ])
  return {
    description,
    ...(described.length > 0 && { headers: Object.fromEntries(described) }),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

/** What may go wrong, by status. Whatever else does has the same shape. */
function failures({ errors = [], ...operation }: Operation, schemas: Place['schemas']) {
  const body = operation.body ?? operation.form
  const input = body ?? operation.query ?? operation.headers
  const codes: readonly ErrorCode[] = [
    ...(input ? (['invalid-request'] as const) : []),
    'unauthorized',
    'forbidden',
    ...(body ? (['too-large', 'too-slow'] as const) : []),
    ...errors,
  ]
  const content = { 'application/json': { schema: toSchema(errorShape, 'input', schemas) } }
  const byStatus = Map.groupBy(new Set(codes), codeStatus)
  return {
    ...Object.fromEntries(
      Array.from(byStatus, ([status, of]) => [status, { description: of.join(', '), content }]),
    ),
    default: { description: 'Any other failure.', content },
  }
}

/** What zod makes of `z.json()`, which has no name. */
const ANY_JSON = z.toJSONSchema(z.object({ json: z.json() })).$defs?.['__schema0']

/** A schema's JSON; what has a name of its own goes among the components. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Place['schemas']): Schema {
  const {
    $schema: _,
    $defs = {},
    ...root
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // Left out by zod where something is transformed, though ours are of what is sent.
    override({ zodSchema, jsonSchema }) {
      const examples = z.globalRegistry.get(zodSchema)?.['examples']
      if (Array.isArray(examples)) jsonSchema.examples = examples
    },
  })
  const named = new Map(
    Object.entries($defs).map(([name, held]) => [name, isDeepStrictEqual(held, ANY_JSON) ? 'Json' : name]),
  )
  const moved = (value: unknown): Schema =>
    JSON.parse(JSON.stringify(value), (key, held: Json) => {
      const name =
        key === '$ref' && typeof held === 'string' ? /^#\/\$defs\/(.+)$/.exec(held)?.[1] : undefined
      return name === undefined ? held : `#/components/schemas/${named.get(name) ?? name}`
    }) as Schema
  for (const [name, held] of Object.entries($defs)) schemas[named.get(name) ?? name] = moved(held)
  return moved(root)
}
