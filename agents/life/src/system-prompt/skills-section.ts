import type { Json } from 'dragoman/events'
import { activeSkillsIn, selectableSkills } from '../skills/active-skills.ts'
import type { Library, Skill } from '../skills/skill.ts'
import { skillPrompt } from '../skills/skill-prompt.ts'

/** In characters. */
const MAX_CORE_LENGTH = 9000
const MAX_CATALOG_LENGTH = 4000

/** What of skills stands in a run's words, in S3-20's order: core, the catalogue, those in use. At most so many characters, but for marks round them. */
export function skillsSection(library: Library, context: Json, most: number): string[] {
  const core = library.skills.filter((skill) => skill.core)
  const active = activeSkillsIn(library, context)
  const others = selectableSkills(library).filter((skill) => !active.includes(skill))
  const before = [...shareLength(core, Math.min(MAX_CORE_LENGTH, most)), ...catalogText(others, active)]
  const left = most - before.join('').length
  return [...before, ...shareLength(active, Math.max(left, 0))]
}

/** Each may have as much as the others: one that is long does not take it from those behind it. */
function shareLength(skills: readonly Skill[], most: number): string[] {
  let left = most
  return skills.map((skill, at) => {
    const told = skillPrompt(skill, Math.floor(left / (skills.length - at)))
    left = Math.max(left - told.length, 0)
    return told
  })
}

function catalogText(others: readonly Skill[], active: readonly Skill[]): string[] {
  if (others.length === 0) return []
  const names = active.map(({ name }) => name).join(', ')
  const lines = others.map(({ name, description }) => `- ${name}: ${description}`)
  const kept: string[] = []
  for (const line of lines) if ([...kept, line].join('\n').length <= MAX_CATALOG_LENGTH) kept.push(line)
  const left = lines.length - kept.length
  return [
    [
      '# Skills',
      active.length > 0
        ? `In use: ${names}. Their instructions stand below. These are not in use:`
        : 'None is in use. These there are:',
      ...kept,
      ...(left > 0 ? [`[Cut here: ${left} more skills are not told, as there is no room.]`] : []),
      'When what the user wants falls to a skill that is not in use, call use_skill first, naming it and those in use that are still needed; then follow its instructions in the same turn. You judge that by what they mean, not by single words. Where no skill fits, none is needed.',
    ].join('\n'),
  ]
}
