import vocabulary from '../words/vocabulary.json' with { type: 'json' }
import {
  degreeAsked,
  degrees,
  degreeShown,
  languagesAsked,
  languagesShown,
  permitSentences,
  rankOf,
  usualYears,
} from './demands.ts'
import { yearsShown } from './years-shown.ts'
import type { JudgedPosting, JudgedResume, Met } from './judged-pair.ts'
import type { JsonResume } from '../resumes/json-resume.ts'
import type { Language } from '../words/language.ts'
import { localize } from '../words/localize.ts'
import texts from './texts.json' with { type: 'json' }
import { skillNamed } from '../skills/skill-table.ts'
import type { WantedSkill } from '../skills/wanted-skills.ts'
import { yearsAsked } from './years-asked.ts'

/** One thing that is weighed. `share` is from 0 to 1; what cannot be told has none, and does not count. */
export type ScoredDemand = {
  readonly kind:
    | 'permit'
    | 'location'
    | 'language'
    | 'years'
    | 'degree'
    | 'seniority'
    | 'skills'
    | 'nice-to-have'
  readonly met: Met
  readonly weight: number
  readonly share: number | null
  /** Whether it rules an application out. */
  readonly blocks: boolean
  readonly says: string
  /** Where the posting asks for it. */
  readonly quote: string | null
}

/** A posting, a resume, the answer's language, and the time that is now. */
export type Pair = {
  readonly posting: JudgedPosting
  readonly resume: JudgedResume
  readonly language: Language
  readonly now: Date
}

/** The same with the skills that they name. */
export type ReadPair = Pair & { readonly wanted: readonly WantedSkill[]; readonly named: ReadonlySet<string> }

/** What of a posting's demands, besides skills, a resume meets, what may rule out an application first. */
export function scoreDemands(pair: ReadPair): readonly ScoredDemand[] {
  return [...permits(pair), ...place(pair), ...languageParts(pair), ...years(pair), ...degree(pair)]
}

/** How well something is met. */
export function metBy(share: number): Met {
  if (share >= 0.95) return 'yes'
  return share > 0.3 ? 'partly' : 'no'
}

function permits({ posting, language }: Pair): readonly ScoredDemand[] {
  return permitSentences(posting.description).map((quote) =>
    Object.assign({ kind: 'permit' as const, says: localize(texts.permit, language), quote }, UNKNOWN),
  )
}

const UNKNOWN = { met: 'unknown', weight: 0, share: null, blocks: false } as const

function place({ posting, resume, language }: Pair): readonly ScoredDemand[] {
  const { workplace, location } = posting
  const part = { kind: 'location', blocks: false, quote: location || null } as const
  const good = { ...part, met: 'yes', weight: 5, share: 1 } as const
  if (workplace === 'remote') return [{ ...good, says: localize(texts.remote, language) }]
  if (location === '') return []
  const home = homeOf(resume.data)
  return placeNames(location).some((name) => home.includes(name))
    ? [{ ...good, says: localize(texts.samePlace, language, { location }) }]
    : [{ ...part, ...UNKNOWN, says: localize(texts.otherPlace, language, { location }) }]
}

/** Where the person is, or wants to work: places of earlier jobs and schools do not count. */
function homeOf({ basics }: JsonResume): string {
  const { location, label, summary } = basics ?? {}
  const places = [...Object.values(location ?? {}), label, summary, basics?.['x-desiredLocation']]
  return places.join('\n').toLowerCase()
}

/** The names of the city or cities, in both languages: `San Francisco, CA, US` is not near whatever is in the US. */
function placeNames(location: string): readonly string[] {
  const cities = location
    .toLowerCase()
    .split(/[;；、/|]/u)
    .map((city) => (city.split(/[,，(（·-]/u)[0] ?? '').replace(/市$/u, '').trim())
    .filter((city) => city.length > 1)
  return cities
    .flatMap((city) => vocabulary.synonyms.find((row) => row.includes(city)) ?? [city])
    .filter((name) => name.length > 2 || /\p{Script=Han}/u.test(name))
}

function languageParts({ named, resume, wanted, language }: ReadPair): readonly ScoredDemand[] {
  const resumeLanguages = languagesShown(named, resume.language)
  return languagesAsked(wanted).map(({ language: name, quote }) => {
    const has = resumeLanguages.has(name)
    const text = has ? texts.hasLanguage : texts.lacksLanguage
    const says = localize(text, language, { name, chinese: skillNamed(name)?.zh ?? name })
    return {
      kind: 'language',
      met: has ? 'yes' : 'no',
      weight: 8,
      share: has ? 1 : 0,
      blocks: !has,
      says,
      quote,
    }
  })
}

function years(pair: Pair): readonly ScoredDemand[] {
  const demand = yearsAsked(pair.posting.description)
  const resumeYears = yearsShown(pair.resume.data, pair.now)
  if (!demand) return rank(pair, resumeYears)
  const { least, quote } = demand
  if (resumeYears === undefined) {
    return [
      { kind: 'years', ...UNKNOWN, says: localize(texts.yearsUnknown, pair.language, { least }), quote },
    ]
  }
  const share = Math.min(1, resumeYears / least)
  const says = localize(texts.years, pair.language, { least, shown: resumeYears })
  // Half of the years are missing: this blocks. Half a year does not.
  return [{ kind: 'years', met: metBy(share), weight: 15, share, blocks: share < 0.5, says, quote }]
}

/** Where a posting asks for no years, its title may. */
function rank({ posting, language }: Pair, resumeYears: number | undefined): readonly ScoredDemand[] {
  const [least, most] = usualYears[rankOf(posting.title) ?? -1] ?? []
  if (least === undefined || most === undefined || resumeYears === undefined) return []
  const share = resumeYears > most ? 0.6 : Math.min(1, least === 0 ? 1 : (resumeYears + 1) / least)
  const text = resumeYears > most ? texts.rankBelow : texts.rankAbove
  const says = localize(text, language, { least, most, shown: resumeYears })
  const quote = posting.title
  return [{ kind: 'seniority', met: metBy(share), weight: 8, share, blocks: false, says, quote }]
}

function degree({ posting, resume, language }: Pair): readonly ScoredDemand[] {
  const demand = degreeAsked(posting.description)
  if (!demand) return []
  const name = localize(texts.degrees[demand.degree], language)
  const resumeDegree = degreeShown(resume.data)
  const part = { kind: 'degree', quote: demand.quote } as const
  if (resumeDegree === undefined) {
    return [{ ...part, ...UNKNOWN, says: localize(texts.degreeUnknown, language, { degree: name }) }]
  }
  const has = degrees.indexOf(resumeDegree) >= degrees.indexOf(demand.degree)
  const share = has ? 1 : demand.equivalent ? 0.6 : 0
  const says = localize(has ? texts.hasDegree : texts.lacksDegree, language, {
    degree: name,
    shown: localize(texts.degrees[resumeDegree], language),
  })
  return [{ ...part, met: metBy(share), weight: 6, share, blocks: !has && !demand.equivalent, says }]
}
