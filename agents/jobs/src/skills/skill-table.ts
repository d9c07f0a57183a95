import { lazy } from 'dragoman/async'
import categories from './skills.json' with { type: 'json' }

/** Something that a posting may ask for and a resume may show. */
export type Skill = {
  /** The canonical name. */
  readonly name: string
  /** The first Chinese alias. */
  readonly zh: string | undefined
  readonly category: string
  /** What texts call it, in small letters; its own name among them. */
  readonly aliases: readonly string[]
}

/** All known skills. */
export const skills = lazy((): readonly Skill[] =>
  Object.entries(categories).flatMap(([category, names]) =>
    Object.entries<readonly string[]>(names).map(([name, aliases]) => ({
      name,
      zh: aliases.find((alias) => /^\p{Script=Han}+$/u.test(alias)),
      category,
      aliases: [name, ...aliases].map((alias) => alias.toLowerCase()),
    })),
  ),
)

const byName = lazy(() => new Map(skills().map((skill) => [skill.name, skill])))

/** The skill of a canonical name, as `skillsIn` gives it. */
export function skillNamed(name: string): Skill | undefined {
  return byName().get(name)
}
