import { withImplied } from '../skills/implied-skills.ts'
import { skillNames, skillsIn } from '../skills/skills-in.ts'
import { skillNamed } from '../skills/skill-table.ts'
import type { WantedSkill } from '../skills/wanted-skills.ts'

/** A skill that a posting wants, and whether the resume has it. */
export type SkillFit = WantedSkill & { readonly found: boolean }

/** How much of what is wanted is there, from 0 to 1; nothing where nothing is wanted. */
export type Fit = {
  readonly skills: readonly SkillFit[]
  /** Of what it requires, and a little of what it only names. */
  readonly main: number | undefined
  readonly nice: number | undefined
  /** How many things the main part rests on. */
  readonly rests: number
}

/** What a requirement counts for where one that is only named counts for one. */
const REQUIRED = 3
/** No resume proves that one is good at what everybody claims, and languages are weighed apart. */
const LEFT_OUT: ReadonlySet<string> = new Set(['working together', 'language'])

const ANY_OF =
  /\b(?:one of|any of|at least one|such as|e\.g\.|like|either)\b|至少一|任一|任意一|之一|例如|比如|(?:一门|一种)/iu
const OR = /\bor\b|或/iu
const AND = /\band\b|和|以及|并|、/iu

/**
 * Holds the skills that a posting wants, in its title too, against those that a resume names. Of those joined by "or"
 * one is enough.
 */
export function skillFit(title: string, demands: readonly WantedSkill[], named: ReadonlySet<string>): Fit {
  const has = withImplied(named)
  const requirements = wantedOf(title, demands).filter(
    ({ skill }) => !LEFT_OUT.has(skillNamed(skill)?.category ?? ''),
  )
  const skills = requirements.map(({ skill, need, quote }) => ({ skill, need, quote, found: has.has(skill) }))
  const of = (need: WantedSkill['need']): readonly Thing[] =>
    things(skills.filter((skill) => skill.need === need))
  const [required, mentioned] = [of('required'), of('mentioned')]
  return {
    skills,
    main: share([...Array.from({ length: REQUIRED }, () => required).flat(), ...mentioned]),
    nice: share(of('nice')),
    rests: required.length + mentioned.length,
  }
}

/** What a title names, is required. */
function wantedOf(title: string, demands: readonly WantedSkill[]): readonly WantedSkill[] {
  const inTitle = [...skillNames(title)].map((skill) => ({ skill, need: 'required' as const, quote: title }))
  const names = new Set(inTitle.map(({ skill }) => skill))
  return [...inTitle, ...demands.filter(({ skill }) => !names.has(skill))]
}

/** Of these one is enough. */
type Thing = readonly SkillFit[]

function things(skills: readonly SkillFit[]): readonly Thing[] {
  const groups = Map.groupBy(skills, ({ quote }) => quote)
  return Array.from(groups, ([quote, group]) => alternatives(quote, group)).flat()
}

function share(all: readonly Thing[]): number | undefined {
  if (all.length === 0) return undefined
  return all.filter((thing) => thing.some(({ found }) => found)).length / all.length
}

function alternatives(quote: string, group: readonly SkillFit[]): readonly Thing[] {
  if (group.length === 1) return [group]
  if (ANY_OF.test(quote) || (OR.test(quote) && !AND.test(quote))) return [group]
  if (!OR.test(quote)) return group.map((skill) => [skill])
  // "Java, and Kafka or RabbitMQ": only those on both sides of the word.
  const found: SkillFit[][] = []
  let end = 0
  for (const { skill, at, said } of skillsIn(quote)) {
    const fit = group.find((one) => one.skill === skill)
    if (!fit || found.flat().includes(fit)) continue
    const before = found.at(-1)
    if (before && /^[\s,]*(?:or|或者?)\s*$/iu.test(quote.slice(end, at))) before.push(fit)
    else found.push([fit])
    end = at + said.length
  }
  const inGroups = new Set(found.flat())
  return [...found, ...group.filter((fit) => !inGroups.has(fit)).map((fit) => [fit])]
}
