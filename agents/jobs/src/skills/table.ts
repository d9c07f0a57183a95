import { lazy } from 'dragoman/async'
import { business } from './table-business.ts'
import { data } from './table-data.ts'
import { software } from './table-software.ts'

/** Something that a posting may ask for and a resume may show. */
export type Skill = {
  /** What it is called, whatever a text calls it. */
  readonly name: string
  readonly zh: string | undefined
  readonly category: string
  /** What texts call it, in small letters; its own name among them. */
  readonly aliases: readonly string[]
}

function read(categories: Readonly<Record<string, string>>): readonly Skill[] {
  return Object.entries(categories).flatMap(([category, lines]) =>
    lines
      .trim()
      .split('\n')
      .map((line) => skillOf(category, line)),
  )
}

function skillOf(category: string, line: string): Skill {
  const [name = '', others = ''] = line.trim().split(/:(?: |$)/)
  const also = others.split(', ').filter((alias) => alias !== '')
  const zh = also.find((alias) => /^\p{Script=Han}+$/u.test(alias))
  return { name, zh, category, aliases: [name, ...also].map((alias) => alias.toLowerCase()) }
}

/** All skills that we know. */
export const skills = lazy((): readonly Skill[] => [...read(software), ...read(data), ...read(business)])

const byName = lazy(() => new Map(skills().map((skill) => [skill.name, skill])))

/** The skill of a name, as `skillsIn` gives it. */
export function skillNamed(name: string): Skill | undefined {
  return byName().get(name)
}
