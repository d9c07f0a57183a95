import { z } from 'zod'

import { HOOK_TIMEOUT_MS, withTimeout } from '../async/index.ts'
import { ServiceError } from '../errors.ts'
import type { ClientTool } from '../events/index.ts'
import { toModelSchema } from './model-schema/index.ts'

/** The version of JSON Schema that models are given. */
const TARGET = 'draft-2020-12'

/** One thing that is wrong with a value. */
export type Issue = {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The result of a validation: the value as the schema returns it, or the issues. */
export type Validation<Value = unknown> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/** A schema of a library that implements [Standard Schema](https://standardschema.dev), such as Zod and ArkType. */
export interface StandardSchema<Value = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: unknown; readonly output: Value } | undefined
    readonly validate: (value: unknown) => Validation<Value> | Promise<Validation<Value>>
    /** [Standard JSON Schema](https://standardschema.dev/json-schema). */
    readonly jsonSchema?: { readonly input: (options: { target: string }) => Record<string, unknown> }
  }
}

/** A schema that `jsonSchema()` of the AI SDK returns. */
export interface AiSdkSchema<Value = unknown> {
  readonly _type: Value
  readonly jsonSchema: object | PromiseLike<object>
  readonly validate?: (value: unknown) => AiSdkValidation<Value> | PromiseLike<AiSdkValidation<Value>>
}

type AiSdkValidation<Value> =
  | { readonly success: true; readonly value: Value }
  | { readonly success: false; readonly error: Error }

/**
 * The types that `inputSchema` accepts. A function returns its schema when it is first needed, as `lazySchema()`
 * of the AI SDK does.
 *
 * @example
 * const schema: InputSchema<{ sides: number }> = z.object({ sides: z.int() })
 */
export type InputSchema<Value = unknown> =
  | StandardSchema<Value>
  | AiSdkSchema<Value>
  | (() => AiSdkSchema<Value>)

type JsonSchema = ClientTool['inputSchema']

/** Whether the value is a schema. `inputSchemaOf` finds out whether it has a JSON form. */
export function isInputSchema(value: unknown): value is InputSchema {
  const isObject = (typeof value === 'object' && value !== null) || typeof value === 'function'
  return isObject && ('~standard' in value || typeof value === 'function' || isAiSdkSchema(value))
}

/** Created once per schema: the conversion costs more than a step of a run. */
const jsonForms = new WeakMap<InputSchema, Promise<JsonSchema>>()

/**
 * Returns the JSON Schema of a tool's input, as it is sent to a model.
 *
 * @throws ServiceError `internal` for a schema that has no JSON form
 */
export async function inputSchemaOf(tool: { name: string; inputSchema: InputSchema }): Promise<JsonSchema> {
  const schema = tool.inputSchema
  const form = jsonForms.get(schema) ?? jsonFormOf(schema).then(toModelSchema)
  jsonForms.set(schema, form)
  try {
    return await form
  } catch (cause) {
    const reason =
      cause instanceof Error
        ? cause.message.replace(/\n.*/s, '').replace(/\.$/, '')
        : 'it cannot be converted'
    const sentence = `The inputSchema of the tool ${JSON.stringify(tool.name)} has no JSON form: ${reason}.`
    throw new ServiceError('internal', `${sentence} ${remedyFor(schema)}`, { cause })
  }
}

/** The JSON schema of any value, as its library writes it. @throws TypeError and others if it has none */
export async function jsonFormOf(schema: InputSchema): Promise<JsonSchema> {
  if ('~standard' in schema) {
    const { vendor, jsonSchema } = schema['~standard']
    if (jsonSchema) return jsonSchema.input({ target: TARGET }) as JsonSchema
    // Zod before 4.2, and its mini version, convert from outside only.
    if ('_zod' in schema) return z.toJSONSchema(schema as z.ZodType, { io: 'input' }) as JsonSchema
    if (vendor === 'zod') return fromZod3(schema)
    throw new TypeError(`${vendor} does not implement Standard JSON Schema for it`)
  }
  const { jsonSchema } = aiSdkSchemaOf(schema)
  return withTimeout(new AbortController().signal, HOOK_TIMEOUT_MS, async () => jsonSchema as JsonSchema)
}

/** The converter is loaded only if the server gets a schema of Zod 3. */
async function fromZod3(schema: object): Promise<JsonSchema> {
  const { zodToJsonSchema } = await import('zod-to-json-schema')
  return zodToJsonSchema(schema as Parameters<typeof zodToJsonSchema>[0], {
    $refStrategy: 'none',
  }) as JsonSchema
}

function remedyFor(schema: InputSchema): string {
  if (!('~standard' in schema) || '_zod' in schema || schema['~standard'].jsonSchema)
    return 'Use only types that JSON has.'
  const isValibot = schema['~standard'].vendor === 'valibot'
  return isValibot
    ? 'Wrap it with toStandardJsonSchema() of @valibot/to-json-schema.'
    : 'Use Zod 4, ArkType, or jsonSchema() of the AI SDK.'
}

/**
 * Checks a call's input against the tool's schema. A JSON Schema of the AI SDK that brings no `validate` accepts
 * everything, as it does there.
 */
export function validateInput(schema: InputSchema, value: unknown): Validation | Promise<Validation> {
  return '~standard' in schema
    ? schema['~standard'].validate(value)
    : validateByAiSdk(aiSdkSchemaOf(schema), value)
}

async function validateByAiSdk(schema: AiSdkSchema, value: unknown): Promise<Validation> {
  const validation = (await schema.validate?.(value)) ?? { success: true, value }
  return validation.success ? { value: validation.value } : { issues: issuesOf(validation.error) }
}

/** The issues of a Zod error, or of the error of any library that the AI SDK wraps; else the error's message. */
function issuesOf(error: Error): readonly Issue[] {
  const causes = [error, error.cause].flatMap((each) => [
    each,
    (each as { issues?: unknown } | undefined)?.issues,
  ])
  return causes.find((each): each is Issue[] => Array.isArray(each)) ?? [{ message: error.message }]
}

function aiSdkSchemaOf(schema: AiSdkSchema | (() => AiSdkSchema)): AiSdkSchema {
  return typeof schema === 'function' ? schema() : schema
}

function isAiSdkSchema(value: object): boolean {
  return Symbol.for('vercel.ai.schema') in value
}
