import { withImplied } from '../skills/implied-skills.ts'
import { skillsIn } from '../skills/skills-in.ts'
import type { Keywords } from './mark.ts'
import type { NamingLine, Source } from './source.ts'

export function keywordsOf({ skills }: Source, lines: readonly NamingLine[], posting: string): Keywords {
  const postingSkills = [...new Set(skillsIn(posting).map(({ skill }) => skill))]
  // Who knows Kafka knows message queues: that is no lie, and no word of the resume either.
  const impliedSkills = withImplied(skills)
  const tailoredSkills = new Set(lines.flatMap(({ mentions }) => mentions.map(({ skill }) => skill)))
  return {
    used: postingSkills.filter((skill) => skills.has(skill) && tailoredSkills.has(skill)),
    safe: postingSkills.filter((skill) => skills.has(skill) && !tailoredSkills.has(skill)),
    notTrueForYou: postingSkills.filter((skill) => !impliedSkills.has(skill)),
  }
}
