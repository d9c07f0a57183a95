import { z } from 'zod'

import { skillNames } from '../skills/skills-in.ts'
import { wantedSkills } from '../skills/wanted-skills.ts'
import { needs } from '../tables.ts'
import { languages } from '../words/language.ts'
import { localize, type BilingualText } from '../words/localize.ts'
import { MAX_BLOCKED_SCORE, metShape, verdictOf, verdictShape } from './judged-pair.ts'
import { metBy, scoreDemands, type Pair, type ScoredDemand } from './score-demands.ts'
import { skillFit, type Fit, type SkillFit } from './skill-fit.ts'
import texts from './texts.json' with { type: 'json' }

const partShape = z.object({
  kind: z.enum(['permit', 'location', 'language', 'years', 'degree', 'seniority', 'skills', 'nice-to-have']),
  met: metShape,
  weight: z.number().describe('Of what is weighed; 0: it is not.'),
  share: z.number().nullable().describe('From 0 to 1; null where the resume does not tell.'),
  blocks: z.boolean().describe('Whether it rules an application out.'),
  says: z.string(),
  quote: z.string().nullable().describe('Where the posting asks for it.'),
})

/** What a quick look says of a posting and a resume. */
export const prescoreShape = z
  .object({
    score: z.int().nullable().describe('0 to 100; null where there is nothing to compare, as `note` says.'),
    verdict: verdictShape.nullable(),
    keywords: z.array(z.string()).describe('What the posting names and the resume has.'),
    missing: z
      .array(z.string())
      .describe('What the posting names and the resume has not, the most wanted first.'),
    blockers: z.array(z.string()),
    warnings: z.array(z.string()),
    skills: z.array(
      z.object({ skill: z.string(), need: z.enum(needs), found: z.boolean(), quote: z.string() }),
    ),
    parts: z.array(partShape).readonly().describe('What is weighed, what may rule you out first.'),
    note: z.string().nullable(),
    language: z.enum(languages),
  })
  .meta({ id: 'Prescore' })
export type Prescore = z.infer<typeof prescoreShape>

/** A score that rests on less is no High. */
const MIN_REQUIREMENTS = 2
const MAX_UNSURE_SCORE = 69
/** With less than this share of the required skills, a fit is not High. */
const MIN_SKILLS_SHARE = 0.5
const WEIGHTS = { main: 50, nice: 12 } as const

/**
 * Compares a posting with a resume by what both say, without a model. It explains each point; it never makes one up.
 */
export function prescore(pair: Pair): Prescore {
  if (pair.posting.description.trim() === '') return nothing(pair, texts.noPostingText)
  if (pair.resume.content.trim() === '') return nothing(pair, texts.noResumeText)
  const demands = wantedSkills(pair.posting.description)
  const named = skillNames(pair.resume.content)
  const fit = skillFit(pair.posting.title, demands, named)
  const parts = [...scoreDemands({ ...pair, wanted: demands, named }), ...skillParts(pair, fit)].toSorted(
    byGravity,
  )
  const weighed = parts.flatMap(({ weight, share, kind }) =>
    share === null ? [] : [{ weight, share, kind }],
  )
  if (!weighed.some(({ kind }) => kind === 'skills' || kind === 'years')) {
    return { ...nothing(pair, texts.nothingToCompare), ...lists(fit.skills), ...messages(parts), parts }
  }
  const all = weighed.reduce((sum, { weight }) => sum + weight, 0)
  const got = weighed.reduce((sum, { weight, share }) => sum + weight * share, 0)
  const blocked = parts.some(({ blocks }) => blocks)
  const plain = Math.round((100 * got) / all)
  const thin = fit.rests < MIN_REQUIREMENTS
  const isLow = parts.some(
    ({ kind, share }) => kind === 'skills' && share !== null && share < MIN_SKILLS_SHARE,
  )
  const score = Math.min(plain, blocked ? MAX_BLOCKED_SCORE : thin || isLow ? MAX_UNSURE_SCORE : 100)
  return {
    score,
    verdict: verdictOf(score, blocked),
    ...lists(fit.skills),
    ...messages(parts),
    parts,
    note: thin ? localize(texts.fewSkills, pair.language) : null,
    language: pair.language,
  }
}

/** What blocks, then what cannot be told, then the rest in their order. */
function byGravity(one: ScoredDemand, other: ScoredDemand): number {
  return gravity(other) - gravity(one)
}

function gravity({ blocks, kind }: ScoredDemand): number {
  if (blocks) return 2
  return kind === 'permit' ? 1 : 0
}

function skillParts({ language }: Pair, { main, nice, skills }: Fit): readonly ScoredDemand[] {
  const countLine = (need: SkillFit['need']): readonly string[] => {
    const demands = skills.filter((skill) => skill.need === need)
    const found = demands.filter((skill) => skill.found).length
    return demands.length === 0 ? [] : [localize(texts[need], language, { found, of: demands.length })]
  }
  const part = (
    kind: ScoredDemand['kind'],
    weight: number,
    share: number | undefined,
    says: string,
  ): readonly ScoredDemand[] =>
    share === undefined ? [] : [{ kind, weight, met: metBy(share), share, blocks: false, says, quote: null }]
  const mainLine = [...countLine('required'), ...countLine('mentioned')]
    .join(localize(texts.semicolon, language))
    .replace(/^s/u, 'S')
  return [
    ...part('skills', WEIGHTS.main, main, mainLine),
    ...part('nice-to-have', WEIGHTS.nice, nice, countLine('nice').join('')),
  ]
}

function lists(skills: readonly SkillFit[]): Pick<Prescore, 'keywords' | 'missing' | 'skills'> {
  const names = (found: boolean): string[] =>
    skills.filter((skill) => skill.found === found).map(({ skill }) => skill)
  return { keywords: names(true), missing: names(false), skills: [...skills] }
}

function messages(parts: readonly ScoredDemand[]): Pick<Prescore, 'blockers' | 'warnings'> {
  const warns = ({ blocks, met }: ScoredDemand): boolean => !blocks && met === 'unknown'
  const line = ({ says, quote, kind }: ScoredDemand): string =>
    kind === 'permit' && quote ? `${says} “${quote}”` : says
  return { blockers: parts.filter(({ blocks }) => blocks).map(line), warnings: parts.filter(warns).map(line) }
}

function nothing({ language }: Pair, reason: BilingualText): Prescore {
  const empty = { keywords: [], missing: [], blockers: [], warnings: [], skills: [], parts: [] }
  return { score: null, verdict: null, ...empty, note: localize(reason, language), language }
}
