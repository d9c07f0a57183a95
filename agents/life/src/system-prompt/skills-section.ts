import type { Json } from 'dragoman/events'
import { activeSkillsIn, selectableSkills, titleOf, unknownPreset } from '../skills/active-skills.ts'
import type { Library, Skill } from '../skills/skill.ts'
import { skillPrompt } from '../skills/skill-prompt.ts'

/** In characters. */
const MAX_CORE_LENGTH = 9000
const MAX_CATALOG_LENGTH = 4000

/** The core skill, the catalog and the active skills, in this order. `most` limits the characters, without the tags. */
export function skillsSection(library: Library, context: Json, most: number): string[] {
  const core = library.skills.filter((skill) => skill.core)
  const active = activeSkillsIn(library, context)
  const others = selectableSkills(library).filter((skill) => !active.includes(skill))
  const before = [
    ...shareLength(core, Math.min(MAX_CORE_LENGTH, most)),
    ...catalogText(others, active),
    ...unknownText(library, context),
  ]
  const remaining = most - before.join('').length
  return [...before, ...shareLength(active, Math.max(remaining, 0))]
}

/** Shares the length evenly: a long skill takes nothing from the next ones. */
function shareLength(skills: readonly Skill[], most: number): string[] {
  let remaining = most
  return skills.map((skill, at) => {
    const prompt = skillPrompt(skill, Math.floor(remaining / (skills.length - at)))
    remaining = Math.max(remaining - prompt.length, 0)
    return prompt
  })
}

function catalogText(others: readonly Skill[], active: readonly Skill[]): string[] {
  if (others.length === 0) return []
  const names = active.map(({ name }) => name).join(', ')
  const lines = others.map(({ name, description }) => `- ${name}: ${description}`)
  const selected: string[] = []
  for (const line of lines)
    if ([...selected, line].join('\n').length <= MAX_CATALOG_LENGTH) selected.push(line)
  const remaining = lines.length - selected.length
  return [
    [
      '# Skills',
      active.length > 0
        ? `In use: ${names}. Their instructions stand below. These are not in use:`
        : 'None is in use. These there are:',
      ...selected,
      ...(remaining > 0 ? [`[Cut here: ${remaining} more skills are not told, as there is no room.]`] : []),
      'When what the user wants falls to a skill that is not in use, call use_skill first, naming it and those in ' +
        'use that are still needed; then follow its instructions in the same turn. You judge that by what they mean, ' +
        'not by single words. Where no skill fits, none is needed.',
    ].join('\n'),
  ]
}

/** What to say where a client presets a skill that is not here. */
function unknownText(library: Library, context: Json): string[] {
  const unknown = unknownPreset(library, context)
  if (unknown === undefined) return []
  const names = selectableSkills(library).map((skill) => `${skill.name} (${titleOf(skill, 'zh')})`)
  return [
    `The page has asked for a skill that is not here, of the name ${JSON.stringify(unknown.slice(0, 64))}. Tell the ` +
      `user in half a sentence that this server does not have it, and which skills there are: ${names.join(', ')}. ` +
      'Then answer as well as you can. Do not repeat it in later messages.',
  ]
}
