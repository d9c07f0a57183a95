import { toolGroups, type SkillTool } from './skill.ts'

/** An entry of `tools.yaml`, with the group that it stands in. */
export type ToolEntry = { readonly entry: unknown; readonly group?: SkillTool['group'] }

/** What a group of another name is taken for: its tools do something. */
const OTHER_GROUP = 'action'

/**
 * The entries of `tools.yaml`: of a list, of `tools:` with a list, or of groups that each have a list. Nothing if there
 * is neither. In a list an entry names its group itself, as `group` or as VibeLife's later skills do, as `type`.
 */
export function toolEntries(read: unknown, notes: string[]): readonly ToolEntry[] | undefined {
  const toEntry = (entry: unknown): ToolEntry => {
    const { group, type } = (isNamed(entry) ? entry : {}) as { group?: unknown; type?: unknown }
    const name = group ?? type
    return typeof name === 'string' ? { entry, group: groupOf(name, notes) } : { entry }
  }
  if (Array.isArray(read)) return read.map(toEntry)
  if (typeof read !== 'object' || read === null) return undefined
  const lists = Object.entries(read).filter(
    (pair): pair is [string, unknown[]] => Array.isArray(pair[1]) && pair[1].every(isNamed),
  )
  if (lists.length === 0) return undefined
  return lists.flatMap(([name, entries]) => {
    if (name === 'tools' || entries.length === 0) return entries.map(toEntry)
    const group = groupOf(name, notes)
    return entries.map((entry) => ({ entry, group }))
  })
}

function groupOf(name: string, notes: string[]): SkillTool['group'] {
  const group = toolGroups.find((each) => each === name)
  const note = `group ${name} is none of ${toolGroups.join(', ')}, and taken for ${OTHER_GROUP}`
  if (!group && !notes.includes(note)) notes.push(note)
  return group ?? OTHER_GROUP
}

function isNamed(entry: unknown): entry is { readonly name: unknown } {
  return typeof entry === 'object' && entry !== null && 'name' in entry
}
