import { createHash } from 'node:crypto'

import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'

import { findJsonExcess, isJsonObject, parseJson, type Json } from '../events/index.ts'
import { mapSchema, type JsonObject } from './map-schema.ts'

type Options = LanguageModelV4CallOptions
type Tool = NonNullable<Options['tools']>[number]
type Names = ReadonlyMap<string, string>

/** The names of properties that Claude takes. */
const NAME = /^[\w.-]{1,64}$/

/**
 * The request with names of properties that Claude takes, in the schemas of its tools and in earlier calls. `restore`
 * gives the input of a call, as JSON, the tool's own names back.
 */
export function fitPropertyNames(options: Options): {
  readonly options: Options
  readonly restore: (input: string) => string
} {
  const names = new Map<string, string>()
  const tools = options.tools?.map((tool) => withNames(tool, names))
  if (!tools || names.size === 0) return { options, restore: (input) => input }
  const originals = new Map(Array.from(names, ([name, short]) => [short, name]))
  return {
    options: { ...options, tools, prompt: options.prompt.map((message) => inCalls(message, names)) },
    restore(input) {
      const value = findJsonExcess(input) ? undefined : parseJson(input)
      return value === undefined ? input : JSON.stringify(renameKeys(value, originals))
    },
  }
}

/** A call by the tool’s own names. Models write blanks around them. */
export function restoreCall<P extends { readonly type: string }>(
  part: P & { readonly toolName?: string; readonly input?: unknown },
  restore: ((input: string) => string) | undefined,
): P {
  if (part.type !== 'tool-call' && part.type !== 'tool-input-start') return part
  const { toolName = '', input } = part
  return {
    ...part,
    toolName: toolName.trim(),
    ...(restore && typeof input === 'string' && { input: restore(input) }),
  }
}

function withNames(tool: Tool, names: Map<string, string>): Tool {
  if (tool.type !== 'function') return tool
  const nameOf = (name: string): string => {
    if (NAME.test(name)) return name
    names.set(name, shortName(name))
    return shortName(name)
  }
  const inputSchema = mapSchema(tool.inputSchema as Json, (schema) => {
    const { properties, required } = schema
    if (!isJsonObject(properties)) return schema
    const renamed = Object.entries(properties).map(
      ([name, each]) => [nameOf(name), withTitle(each, name)] as const,
    )
    const needed = Array.isArray(required)
      ? required.map((name) => (typeof name === 'string' ? nameOf(name) : name))
      : undefined
    return { ...schema, properties: Object.fromEntries(renamed), ...(needed && { required: needed }) }
  })
  return { ...tool, inputSchema: inputSchema as typeof tool.inputSchema }
}

/** The model should know what a name meant. */
function withTitle(schema: Json, name: string): Json {
  if (NAME.test(name)) return schema
  const own: JsonObject = isJsonObject(schema) ? schema : {}
  const { description } = own
  return { ...own, description: typeof description === 'string' ? `${name}: ${description}` : name }
}

function shortName(name: string): string {
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6)
  return `${name.replaceAll(/[^\w.-]/g, '_').slice(0, 50)}_${mark}`
}

function inCalls(message: LanguageModelV4Message, names: Names): LanguageModelV4Message {
  if (message.role !== 'assistant') return message
  const content = message.content.map((part) =>
    part.type === 'tool-call' ? { ...part, input: renameKeys(part.input as Json, names) } : part,
  )
  return { ...message, content }
}

function renameKeys(value: Json, names: Names): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((each) => renameKeys(each, names))
  if (!isJsonObject(value)) return value
  const entries = Object.entries(value).map(
    ([key, each]) => [names.get(key) ?? key, renameKeys(each, names)] as const,
  )
  return Object.fromEntries(entries)
}
