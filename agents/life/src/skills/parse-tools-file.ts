import { z } from 'zod'

import { isServiceError, ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { cardTypes } from '../tools/card-result.ts'
import { createCardInputSchema } from './card-input-schema.ts'
import { formFieldsIn } from './form-fields.ts'
import { parametersSchema } from './parameters-schema.ts'
import { readYamlParts } from './read-yaml-parts.ts'
import { toolEntries, type ToolEntry } from './tool-entries.ts'
import { toolGroups, type SkillTool } from './skill.ts'

/** In bytes. */
export const MAX_TOOLS_FILE_BYTES = 32 * 1024
/** Characters of one card's schema: it goes to the model with every step. */
const MAX_SCHEMA_LENGTH = 8000
const MAX_DESCRIPTION_LENGTH = 1024
const MAX_WHEN_LENGTH = 500

const text = (most: number) => z.string('must be a text').trim().min(1, 'must not be empty').max(most)

const fields = z.object(
  {
    name: text(64).regex(/^[a-zA-Z][\w-]*$/, 'must be a letter, then letters, digits, _ and -'),
    group: z.enum(toolGroups, `must be one of ${toolGroups.join(', ')}`),
    description: text(8000).nullish(),
    card_type: text(64)
      .regex(/^[a-z][a-z0-9_-]*$/, 'must be of a to z, digits, _ and -')
      .nullish(),
    data: text(64)
      .regex(/^[a-z][a-z0-9_-]*$/, 'must be of a to z, digits, _ and -')
      .nullish(),
    when_to_call: text(8000).nullish(),
    parameters: z
      .union([z.record(z.string(), z.json()), z.array(z.json())], 'must be a JSON Schema, or a list')
      .nullish(),
    card_props: z.json().nullish(),
  },
  'must be a map of fields',
)
type Entry = z.infer<typeof fields>

export type SkillTools = {
  readonly tools: readonly SkillTool[]
  /** Names of tools that cannot be had. */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
}

/**
 * What `tools.yaml` says: what cannot be used is left out, with a note. `own` are the names of the agent's own tools.
 */
export async function parseToolsFile(source: string, own: ReadonlySet<string>): Promise<SkillTools> {
  const { value, notes: mistakes } = await readYamlParts(source)
  const notes = [...mistakes]
  const entries = toolEntries(value ?? [], notes)
  if (!entries)
    throw new ServiceError('invalid-input', notes[0] ?? 'must be a list of tools, or groups of them')
  const tools: SkillTool[] = []
  const missing: string[] = []
  for (const [at, entry] of entries.entries()) {
    const made = toolOf(entry, at, { own, usedNames: new Set(tools.map(({ name }) => name)), notes })
    if (typeof made !== 'string') {
      tools.push(made)
      continue
    }
    notes.push(made)
    const { data } = fields.shape.name.safeParse((entry.entry as { name?: unknown } | null)?.name)
    if (data !== undefined && !tools.some(({ name }) => name === data)) missing.push(data)
  }
  return { tools, missing, notes: notes.map((note) => toSingleLine(note, 300)) }
}

type Names = {
  readonly own: ReadonlySet<string>
  readonly usedNames: ReadonlySet<string>
  readonly notes: string[]
}

/** The tool, or the reason why the entry is none. */
function toolOf({ entry, group }: ToolEntry, at: number, names: Names): SkillTool | string {
  const read = fields.safeParse(group === undefined ? entry : { ...(entry as object), group })
  if (!read.success) {
    const [issue] = read.error.issues
    return `${['entry', at + 1, issue?.path.join('.')].filter(Boolean).join(' ')} ${issue?.message}`
  }
  const { name, when_to_call: whenToCall } = read.data
  if (names.usedNames.has(name)) return `${name} is named twice`
  const when = whenToCall ? toSingleLine(whenToCall, MAX_WHEN_LENGTH) : undefined
  const tool = { name, group: read.data.group, ...(when && { whenToCall: when }) }
  if (!names.own.has(name)) return cardOf(read.data, tool, names.notes)
  if (read.data.card_type || read.data.parameters || read.data.data)
    names.notes.push(`${name} is a tool of the agent’s own: its own parameters and card count`)
  return tool
}

/** A card of the skill's own, or the reason why it is none: code of a skill is never run. */
function cardOf(entry: Entry, tool: SkillTool, notes: string[]): SkillTool | string {
  const { name, description, card_type: cardTypeOfFile } = entry
  if (!cardTypeOfFile) return `${name} is no tool of the agent’s; a card of the skill’s own needs card_type`
  if (entry.group === 'compute')
    return `${name} computes, and code of a skill is never run; a card’s group is display or collect`
  const parameters = parametersSchema(entry.parameters ?? undefined)
  if (JSON.stringify(parameters).length > MAX_SCHEMA_LENGTH)
    return `${name}: parameters are larger than ${MAX_SCHEMA_LENGTH} characters`
  try {
    createCardInputSchema(parameters)
  } catch (error) {
    if (!isServiceError(error)) throw error
    return `${name}: ${error.message}`
  }
  const form = formFieldsIn(entry.card_props ?? undefined)
  const isForm = cardTypeOfFile === 'collect_form' && form.length > 0
  const isTaken = !isForm && cardTypes.some((ours) => ours === cardTypeOfFile)
  if (isTaken)
    notes.push(
      `${name}: card_type ${cardTypeOfFile} is a card of the agent’s own with its own fields: it is shown as ${name}`,
    )
  if (entry.group === 'action') notes.push(`${name} only shows its card: code of a skill is never run`)
  const cardType = isTaken ? name : cardTypeOfFile
  const line = toSingleLine(description ?? tool.whenToCall ?? name, MAX_DESCRIPTION_LENGTH)
  const card = {
    description: line,
    cardType,
    parameters,
    ...(entry.data && { data: entry.data }),
    ...(form.length > 0 && { form }),
  }
  return { ...tool, group: entry.group === 'action' ? 'display' : entry.group, card }
}
