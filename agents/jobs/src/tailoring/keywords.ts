import { withImplied } from '../skills/implied.ts'
import { skillsIn } from '../skills/skills-in.ts'
import type { Keywords } from './mark.ts'
import type { NamingLine, Source } from './source.ts'

export function keywordsOf({ skills }: Source, lines: readonly NamingLine[], posting: string): Keywords {
  const wanted = [...new Set(skillsIn(posting).map(({ skill }) => skill))]
  // Who knows Kafka knows message queues: that is no lie, and no word of the resume either.
  const known = withImplied(skills)
  const said = new Set(lines.flatMap(({ mentions }) => mentions.map(({ skill }) => skill)))
  return {
    used: wanted.filter((skill) => skills.has(skill) && said.has(skill)),
    safe: wanted.filter((skill) => skills.has(skill) && !said.has(skill)),
    notTrueForYou: wanted.filter((skill) => !known.has(skill)),
  }
}
