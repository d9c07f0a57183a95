import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { activeSkills, readContext } from '../context.ts'
import type { Language } from '../language.ts'
import type { Library, Skill, Skills } from './skill.ts'

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

/** Refuses an unknown preset skill and lists the known ones. @throws ServiceError `invalid-request` */
export async function refuseUnknownSkill(skillStore: Skills, context: Json): Promise<void> {
  const { skill } = readContext(context)
  if (!skill) return
  const names = selectableSkills(await skillStore.library()).map(({ name }) => name)
  if (names.includes(skill)) return
  throw new ServiceError('invalid-request', `skill: must be one of ${names.join(', ')}`)
}
