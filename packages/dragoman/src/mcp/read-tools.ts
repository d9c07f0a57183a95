import { isJsonObject, type Json } from '../events/index.ts'
import { headerFault } from './parameter-headers.ts'

/** Characters of one tool's schema: it goes to the model with every step. */
const MAX_SCHEMA_LENGTH = 32_000
const MAX_LEVELS = 100
const MAX_NAME_IN_NOTE = 80
/** Where servers that follow a model's API have the schema. */
const OTHER_SCHEMA_FIELDS = ['input_schema', 'parameters']

type JsonObject = { readonly [field: string]: Json }

/** A tool of a server: the fields that are used, in the form that the protocol demands. */
export type ListedTool = {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject & { readonly type: 'object' }
  readonly readOnly: boolean
  readonly idempotent: boolean
}

/** The tools that can be used. A note says of a tool that was repaired or left out which field is wrong, and why. */
export type ToolList = { readonly tools: readonly ListedTool[]; readonly notes: readonly string[] }

/** A note begins after the tool's name. Without a tool, the tool is left out. */
type Reading = { readonly tool?: ListedTool; readonly notes: readonly string[] }

/** `names`: other tools are not read. `sendsHeaders`: calls have the headers that tools name for parameters. */
type ReadOptions = { readonly names?: readonly string[] | undefined; readonly sendsHeaders?: boolean }

/**
 * Reads a server's list. A tool that is not as the protocol demands costs no other one: it is repaired where its
 * meaning is clear, else left out. Of tools with one name, the first is used.
 */
export function readTools(list: readonly unknown[], { names, sendsHeaders }: ReadOptions = {}): ToolList {
  const tools = new Map<string, ListedTool>()
  const sources = new Map<string, string>()
  const notes = list.flatMap((each, index): readonly string[] => {
    const value = each as Json
    const name = isJsonObject(value) ? value['name'] : undefined
    const isNamed = typeof name === 'string' && name.trim() !== ''
    if (names && !(isNamed && names.includes(name))) return []
    if (!isNamed) return [`tool ${index + 1} of its list is left out: ${nameFault(value)}`]
    const label = `the tool ${JSON.stringify(name.slice(0, MAX_NAME_IN_NOTE))}`
    if (isDeeper(value, MAX_LEVELS)) return [`${label} is left out: it has more than ${MAX_LEVELS} levels`]
    const source = JSON.stringify(value)
    // Pages that overlap hold the same tool again.
    if (sources.get(name) === source) return []
    if (tools.has(name)) return [`a second ${label.slice(4)} is left out: its name is taken`]
    sources.set(name, source)
    const reading = readTool(name, value as JsonObject)
    const fault = sendsHeaders === true && reading.tool && headerFault(reading.tool.inputSchema)
    if (typeof fault === 'string') return [`${label} is left out: ${fault}`]
    if (reading.tool) tools.set(name, reading.tool)
    return reading.notes.map((note) => `${label} ${note}`)
  })
  return { tools: [...tools.values()], notes }
}

function nameFault(value: Json): string {
  if (!isJsonObject(value)) return `it is ${show(value)} and no object`
  return `name is ${show(value['name'])} and no text`
}

function readTool(name: string, value: JsonObject): Reading {
  const { description, title, outputSchema, annotations, execution } = value
  // A tool that requires a task accepts no plain call.
  if (isJsonObject(execution) && execution['taskSupport'] === 'required')
    return leftOut('execution.taskSupport is "required", and tasks are not supported')
  const field =
    ['inputSchema', ...OTHER_SCHEMA_FIELDS].find((each) => isJsonObject(value[each])) ?? 'inputSchema'
  const found = readSchema(value[field])
  if ('fault' in found) return leftOut(found.fault)
  const notes = [...found.notes]
  if (field !== 'inputSchema') notes.push(repaired(`its inputSchema is named ${field}`))
  if (description !== undefined && typeof description !== 'string')
    notes.push(repaired(`description is ${show(description)} and no text`))
  // It is not used: results are not checked.
  if (outputSchema !== undefined && !(isJsonObject(outputSchema) && outputSchema['type'] === 'object'))
    notes.push(repaired('outputSchema is no schema of an object'))
  const hints = isJsonObject(annotations) ? annotations : {}
  const readOnly = hints['readOnlyHint'] === true
  return {
    tool: {
      name,
      description: [description, title, name].find(
        (text) => typeof text === 'string' && text !== '',
      ) as string,
      inputSchema: found.schema,
      readOnly,
      idempotent: readOnly || hints['idempotentHint'] === true,
    },
    notes,
  }
}

type SchemaReading =
  | { readonly schema: ListedTool['inputSchema']; readonly notes: readonly string[] }
  | { readonly fault: string }

/** The input of a call is an object, so a schema that says nothing else describes one. */
function readSchema(value: Json | undefined): SchemaReading {
  if (value === undefined || value === null || value === true)
    return {
      schema: { type: 'object', properties: {} },
      notes: [repaired(`inputSchema is ${show(value)} and no schema of an object`)],
    }
  if (!isJsonObject(value)) return { fault: `inputSchema is ${show(value)} and no object` }
  const { length } = JSON.stringify(value)
  if (length > MAX_SCHEMA_LENGTH)
    return { fault: `inputSchema has ${length} characters, more than ${MAX_SCHEMA_LENGTH}` }
  const { $schema: _dialect, $id: _name, id: _oldName, type, properties, required, ...rest } = value
  const notes: string[] = []
  const types = (Array.isArray(type) ? type : [type]).map((each) => String(each ?? 'object').toLowerCase())
  if (!types.includes('object')) return { fault: `inputSchema.type is ${show(type)} and not "object"` }
  if (type !== 'object') notes.push(repaired(`inputSchema.type is ${show(type)} and not "object"`))
  const isEmptyList = Array.isArray(properties) && properties.length === 0
  if (properties !== undefined && properties !== null && !isEmptyList && !isJsonObject(properties))
    return { fault: `inputSchema.properties is ${show(properties)} and no object` }
  if (properties === null || isEmptyList)
    notes.push(repaired(`inputSchema.properties is ${show(properties)} and no object`))
  const names = Array.isArray(required) ? required.filter((each) => typeof each === 'string') : []
  if (required !== undefined && JSON.stringify(required) !== JSON.stringify(names))
    notes.push(repaired(`inputSchema.required is ${show(required)} and no list of names`))
  return {
    schema: {
      ...rest,
      type: 'object',
      properties: isJsonObject(properties) ? properties : {},
      ...(names.length > 0 && { required: names }),
    },
    notes,
  }
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isDeeper(each, levels - 1))
}

function leftOut(fault: string): Reading {
  return { notes: [`is left out: ${fault}`] }
}

function repaired(fault: string): string {
  return `is repaired: ${fault}`
}

function show(value: Json | undefined): string {
  if (value === undefined) return 'missing'
  const text = JSON.stringify(value)
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
