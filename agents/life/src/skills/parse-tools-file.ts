import { z } from 'zod'

import { isServiceError, ServiceError } from 'dragoman/errors'
import { toSingleLine } from '@dragoman/agent-kit/text/to-single-line'
import { cardTypes } from '../tools/card-result.ts'
import { createCardInputSchema } from './card-input-schema.ts'
import { toolGroups, type SkillTool } from './skill.ts'
import { readYaml } from './read-yaml.ts'

/** In bytes. */
export const MAX_TOOLS_FILE_BYTES = 32 * 1024
/** Characters of one card's schema: it goes to the model with every step. */
const MAX_SCHEMA_LENGTH = 8000

const text = (most: number) => z.string('must be a text').trim().min(1, 'must not be empty').max(most)

const entry = z.object(
  {
    name: text(64).regex(/^[a-zA-Z][\w-]*$/, 'must be a letter, then letters, digits, _ and -'),
    group: z.enum(toolGroups, `must be one of ${toolGroups.join(', ')}`),
    description: text(1024).nullish(),
    card_type: text(64)
      .regex(/^[a-z][a-z0-9_-]*$/, 'must be of a to z, digits, _ and -')
      .nullish(),
    when_to_call: text(500).nullish(),
    parameters: z.record(z.string(), z.json(), 'must be a JSON Schema').nullish(),
  },
  'must be a map of fields',
)
type Entry = z.infer<typeof entry>

const list = z.union([
  z.array(z.unknown()),
  z.object({ tools: z.array(z.unknown()) }).transform(({ tools }) => tools),
])

export type SkillTools = { readonly tools: readonly SkillTool[]; readonly notes: readonly string[] }

/**
 * What `tools.yaml` says: what cannot be used is left out, with a note. `own` are the names of the agent's own tools.
 */
export async function parseToolsFile(source: string, own: ReadonlySet<string>): Promise<SkillTools> {
  const entries = list.safeParse((await readYaml(source)) ?? [])
  if (!entries.success) throw new ServiceError('invalid-input', 'must be a list of tools')
  const tools: SkillTool[] = []
  const notes: string[] = []
  for (const [at, toolEntry] of entries.data.entries()) {
    const read = entry.safeParse(toolEntry)
    const [issue] = read.error?.issues ?? []
    const usedNames = new Set(tools.map(({ name }) => name))
    const made = read.success
      ? toolOf(read.data, own, usedNames)
      : `${['entry', at + 1, issue?.path.join('.')].filter(Boolean).join(' ')} ${issue?.message}`
    if (typeof made === 'string') notes.push(toSingleLine(made, 300))
    else tools.push(made)
  }
  return { tools, notes }
}

/** The tool, or the reason why the entry is none. */
function toolOf(
  toolEntry: Entry,
  own: ReadonlySet<string>,
  usedNames: ReadonlySet<string>,
): SkillTool | string {
  const { name, group, description, when_to_call: whenToCall, card_type: cardType, parameters } = toolEntry
  const tool = { name, group, ...(whenToCall && { whenToCall: toSingleLine(whenToCall) }) }
  if (usedNames.has(name)) return `${name} is named twice`
  if (own.has(name)) {
    return cardType || parameters
      ? `${name} is a tool of the agent’s own, and can be no card of a skill’s`
      : tool
  }
  if (!cardType || !parameters) {
    return `${name} is no tool of the agent’s; a card of the skill’s own needs card_type and parameters`
  }
  if (group !== 'display' && group !== 'collect') {
    return `${name} is a card, and so its group must be display or collect`
  }
  if (cardTypes.some((ours) => ours === cardType)) {
    return `${name}: card_type ${cardType} is a card of the agent’s own, which pages draw by its own fields`
  }
  if (JSON.stringify(parameters).length > MAX_SCHEMA_LENGTH) {
    return `${name}: parameters are larger than ${MAX_SCHEMA_LENGTH} characters`
  }
  try {
    createCardInputSchema(parameters)
  } catch (error) {
    if (!isServiceError(error)) throw error
    return `${name}: ${error.message}`
  }
  return { ...tool, card: { description: description ?? whenToCall ?? name, cardType, parameters } }
}
