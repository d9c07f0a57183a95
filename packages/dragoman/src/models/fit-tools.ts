import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'

import { isJsonObject, type Json } from '../events/index.ts'
import { mapSchema, type JsonObject } from './map-schema.ts'
import type { ProviderApi } from './provider-api.ts'

type Options = LanguageModelV4CallOptions
type Schema = Extract<NonNullable<Options['tools']>[number], { type: 'function' }>['inputSchema']

/** The tools of a request, with schemas in the subset that OpenAI takes, or Gemini behind its protocol. */
export function fitTools(options: Options, { api, name }: { api?: ProviderApi; name: string }): Options {
  if ((api !== 'chat' && api !== 'responses') || !options.tools) return options
  const isGemini = /gemini/i.test(name)
  const fit = (schema: JsonObject): JsonObject =>
    isGemini ? forGemini(forOpenai(schema)) : forOpenai(schema)
  const tools = options.tools.map((tool) =>
    tool.type === 'function'
      ? { ...tool, inputSchema: mapSchema(tool.inputSchema as Json, fit) as Schema }
      : tool,
  )
  return { ...options, tools }
}

/** An array has a schema for its items. */
function forOpenai({ $schema: _dialect, ...schema }: JsonObject): JsonObject {
  const types = [schema['type']].flat()
  return types.includes('array') && !isJsonObject(schema['items']) ? { ...schema, items: {} } : schema
}

/** Items have a type, an enum holds texts, and what is required is described. */
function forGemini({
  propertyNames: _names,
  const: value,
  enum: list,
  required,
  ...schema
}: JsonObject): JsonObject {
  const { items, properties } = schema
  const values = value === undefined ? list : [value]
  const names = Array.isArray(required) && isJsonObject(properties) ? required : []
  const described = names.filter(
    (each) => typeof each === 'string' && Object.hasOwn(properties as object, each),
  )
  return {
    ...schema,
    ...(isJsonObject(items) && Object.keys(items).length === 0 && { items: { type: 'string' } }),
    ...(Array.isArray(values) && withValues(schema, values)),
    ...(described.length > 0 && { required: described }),
  }
}

function withValues({ description }: JsonObject, values: readonly Json[]): JsonObject {
  if (values.every((each) => typeof each === 'string' && each !== '')) return { type: 'string', enum: values }
  const note = `One of: ${values.map((each) => JSON.stringify(each)).join(', ')}.`
  return { description: typeof description === 'string' ? `${description} ${note}` : note }
}
