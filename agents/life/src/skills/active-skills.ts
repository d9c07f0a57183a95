import type { Json } from 'dragoman/events'
import { activeSkills, readContext } from '../context.ts'
import type { Language } from '../language.ts'
import type { Library, Skill } from './skill.ts'

/** The skills that `use_skill` can select. Core skills are always active. */
export function selectableSkills({ skills }: Library): readonly Skill[] {
  return skills.filter(({ core }) => !core)
}

/**
 * Those that a conversation has switched to. One that has left the folders is passed over: the conversation goes on
 * without it.
 */
export function activeSkillsIn(library: Library, context: Json): readonly Skill[] {
  return activeSkills(readContext(context)).flatMap(
    (name) => selectableSkills(library).find((skill) => skill.name === name) ?? [],
  )
}

/** For pages. */
export function titleOf({ name, title }: Skill, language: Language): string {
  return title?.[language] ?? title?.zh ?? title?.en ?? name
}

/** The skill that the client presets, if there is none of that name. */
export function unknownPreset({ skills }: Library, context: Json): string | undefined {
  const { skill } = readContext(context)
  return skill && !skills.some(({ name }) => name === skill) ? skill : undefined
}
