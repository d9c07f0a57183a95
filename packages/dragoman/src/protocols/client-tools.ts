import { z } from 'zod'

import { ServiceError } from '../errors.ts'
import { isJsonObject, type ClientTool, type Json } from '../events/index.ts'

/** All tools of a request together, in letters of JSON: a model reads them at each step. */
const MOST_LETTERS = 256 * 1024
const MOST_TOOLS = 128

const described = z.object({
  description: z.string().nullish(),
  inputSchema: z.json().optional(),
  parameters: z.json().optional().describe('As inputSchema: AI SDK 4 and OpenAI call it so.'),
})
const name = z
  .string()
  .regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -')
  .describe('1 to 64 letters of a to z, digits, _ or -.')

/** Tools that the client runs, as a list or by their names. */
export const clientTools = z
  .union([z.array(described.extend({ name })), z.record(z.string(), described)], 'must be a list of tools')
  .describe('Tools that the client runs: the run waits for what they give. inputSchema is a JSON schema.')

/** @throws ServiceError `invalid-request`, naming the tool and what is wrong with it */
export function toClientTools(sent: z.infer<typeof clientTools> | null | undefined): {
  readonly tools?: readonly ClientTool[]
} {
  if (!sent) return {}
  const tools = Array.isArray(sent)
    ? sent.map((tool, index) => toTool(tool.name, tool, `tools.${index}`))
    : Object.entries(sent).map(([named, tool]) => toTool(named, tool, `tools.${named}`))
  if (tools.length > MOST_TOOLS) throw invalid('tools', `must be at most ${MOST_TOOLS}`)
  if (JSON.stringify(tools).length > MOST_LETTERS)
    throw invalid('tools', `must be at most ${MOST_LETTERS / 1024} KB of JSON`)
  const names = tools.map((tool) => tool.name)
  const twice = names.find((each, index) => names.indexOf(each) !== index)
  if (twice !== undefined) throw invalid('tools', `${twice} is there twice`)
  return { tools }
}

function toTool(
  named: string,
  { description, inputSchema, parameters }: z.infer<typeof described>,
  place: string,
): ClientTool {
  if (!name.safeParse(named).success) throw invalid(place, 'a name must be 1 to 64 letters, digits, _ or -')
  const schema: Json = inputSchema ?? parameters ?? { type: 'object', properties: {} }
  // What `jsonSchema()` of the AI SDK makes is the schema within an object.
  const inner = isJsonObject(schema) ? (schema['jsonSchema'] ?? schema) : schema
  const field = inputSchema === undefined ? 'parameters' : 'inputSchema'
  if (!isInputSchema(inner)) throw invalid(`${place}.${field}`, 'must be a JSON schema of an object')
  return { name: named, description: description ?? '', inputSchema: inner }
}

/** A call's input is always an object; a schema that says nothing of its type may say the rest by reference. */
function isInputSchema(schema: Json): boolean {
  return isJsonObject(schema) && (schema['type'] === undefined || schema['type'] === 'object')
}

function invalid(place: string, words: string): ServiceError {
  return new ServiceError('invalid-request', `${place}: ${words}`)
}
