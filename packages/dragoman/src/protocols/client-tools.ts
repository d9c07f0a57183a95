import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import { isJsonObject, type ClientTool, type Json } from '../events/index.ts'
import { anyJson } from './any-json.ts'

/** All tools of a request together, in letters of JSON: a model reads them at each step. */
const MAX_TOOLS_CHARACTERS = 256 * 1024
const MAX_TOOLS = 128

const toolFields = z.object({
  description: z.string().nullish(),
  inputSchema: anyJson.optional(),
  parameters: anyJson.optional().describe('As inputSchema: AI SDK 4 and OpenAI call it so.'),
  confirmationRequired: z
    .boolean()
    .nullish()
    .describe('The user is asked before each call. Also in metadata.'),
  metadata: z.looseObject({}).nullish(),
})
const name = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
  .describe('1 to 64 letters of a to z, digits, _ or -.')

/** Tools that the client runs, as a list or by their names. */
export const clientTools = z
  .union([z.array(toolFields.extend({ name })), z.record(z.string(), toolFields)], 'must be a list of tools')
  .describe('Tools that the client runs: the run waits for what they give. inputSchema is a JSON schema.')

/** Of tools with one name, the first counts. @throws ServiceError `invalid-request`, naming the tool and the problem */
export function toClientTools(input: z.infer<typeof clientTools> | null | undefined): {
  readonly tools?: readonly ClientTool[]
} {
  if (!input) return {}
  const tools = Array.isArray(input)
    ? input.map((tool, index) => toTool(tool.name, tool, `tools.${index}`))
    : Object.entries(input).map(([toolName, tool]) => toTool(toolName, tool, `tools.${toolName}`))
  if (tools.length > MAX_TOOLS) throw invalid('tools', `must be at most ${MAX_TOOLS}`)
  if (JSON.stringify(tools).length > MAX_TOOLS_CHARACTERS)
    throw invalid('tools', `must be at most ${MAX_TOOLS_CHARACTERS / 1024} KB of JSON`)
  const names = tools.map((tool) => tool.name)
  return { tools: tools.filter((tool, index) => names.indexOf(tool.name) === index) }
}

function toTool(
  toolName: string,
  { description, inputSchema, parameters, confirmationRequired, metadata }: z.infer<typeof toolFields>,
  place: string,
): ClientTool {
  if (!name.safeParse(toolName).success)
    throw invalid(place, 'a name must be 1 to 64 letters, digits, _ or -')
  const schema: Json = inputSchema ?? parameters ?? { type: 'object', properties: {} }
  // `jsonSchema()` of the AI SDK wraps the schema in an object.
  const inner = isJsonObject(schema) ? (schema['jsonSchema'] ?? schema) : schema
  const field = inputSchema === undefined ? 'parameters' : 'inputSchema'
  if (!isInputSchema(inner)) throw invalid(`${place}.${field}`, 'must be a JSON schema of an object')
  // Clients of AG-UI 1.0 send no field of their own but in its metadata.
  const confirm = confirmationRequired === true || metadata?.['confirmationRequired'] === true
  return { name: toolName, description: description ?? '', inputSchema: inner, ...(confirm && { confirm }) }
}

/** A call's input is always an object. A schema without a type may define the rest by reference. */
function isInputSchema(schema: Json): boolean {
  return isJsonObject(schema) && (schema['type'] === undefined || schema['type'] === 'object')
}

function invalid(place: string, problem: string): ServiceError {
  return new ServiceError('invalid-request', `${place}: ${problem}`)
}
