import { sameMeaning } from '../words/bilingual.ts'
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
import { skillNamed } from '../skills/table.ts'
import type { WantedSkill } from '../skills/wanted-skills.ts'
import { yearsAsked } from './years-asked.ts'

/** One thing that is weighed. `share` is from 0 to 1; what cannot be told has none, and does not count. */
export type Part = {
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
export function otherParts(pair: ReadPair): readonly Part[] {
  return [...permits(pair), ...place(pair), ...languageParts(pair), ...years(pair), ...degree(pair)]
}

export function inLanguage({ language }: Pick<Pair, 'language'>, zh: string, en: string): string {
  return language === 'zh' ? zh : en
}

/** How well something is met. */
export function metBy(share: number): Met {
  if (share >= 0.95) return 'yes'
  return share > 0.3 ? 'partly' : 'no'
}

function permits(pair: Pair): readonly Part[] {
  return permitSentences(pair.posting.description).map((quote) => ({
    kind: 'permit',
    met: 'unknown',
    weight: 0,
    share: null,
    blocks: false,
    says: inLanguage(
      pair,
      '请确认你符合职位对工作许可或签证的要求',
      'Check that you meet what it says of work permits or visas',
    ),
    quote,
  }))
}

const UNKNOWN = { met: 'unknown', weight: 0, share: null, blocks: false } as const

function place(pair: Pair): readonly Part[] {
  const { workplace, location } = pair.posting
  const part = { kind: 'location', blocks: false, quote: location || null } as const
  if (workplace === 'remote') {
    const says = inLanguage(pair, '可远程办公', 'The work is remote')
    return [{ ...part, met: 'yes', weight: 5, share: 1, says }]
  }
  if (location === '') return []
  const home = homeOf(pair.resume.data)
  const near = placeNames(location).some((name) => home.includes(name))
  if (near) {
    const says = inLanguage(
      pair,
      `简历中的地点与职位一致：${location}`,
      `The resume names the same place: ${location}`,
    )
    return [{ ...part, met: 'yes', weight: 5, share: 1, says }]
  }
  const says = inLanguage(
    pair,
    `职位地点为${location}，简历开头没有写明在那里`,
    `The job is in ${location}; the head of the resume does not say that you are there`,
  )
  return [{ ...part, ...UNKNOWN, says }]
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
    .flatMap((city) => sameMeaning.find((row) => row.includes(city)) ?? [city])
    .filter((name) => name.length > 2 || /\p{Script=Han}/u.test(name))
}

function languageParts(pair: ReadPair): readonly Part[] {
  const resumeValue = languagesShown(pair.named, pair.resume.language)
  return languagesAsked(pair.wanted).map(({ language, quote }) => {
    const has = resumeValue.has(language)
    const zh = skillNamed(language)?.zh ?? language
    const says = has
      ? inLanguage(pair, `要求${zh}，简历中有`, `Asks for ${language}; the resume shows it`)
      : inLanguage(pair, `要求${zh}，简历中没有提到`, `Asks for ${language}; the resume does not mention it`)
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

function years(pair: Pair): readonly Part[] {
  const demand = yearsAsked(pair.posting.description)
  const resumeValue = yearsShown(pair.resume.data, pair.now)
  if (!demand) return rank(pair, resumeValue)
  const { least, quote } = demand
  if (resumeValue === undefined) {
    const says = inLanguage(
      pair,
      `要求${least}年经验，简历中看不出年限`,
      `Asks for ${least} years; the resume shows no dates to count`,
    )
    return [{ kind: 'years', ...UNKNOWN, says, quote }]
  }
  const share = Math.min(1, resumeValue / least)
  const says = inLanguage(
    pair,
    `要求${least}年经验，简历显示约${resumeValue}年`,
    `Asks for ${least} years of experience; the resume shows about ${resumeValue}`,
  )
  // Half a year less is no reason, half of it is.
  return [{ kind: 'years', met: metBy(share), weight: 15, share, blocks: share < 0.5, says, quote }]
}

/** Where a posting asks for no years, its title may. */
function rank(pair: Pair, resumeValue: number | undefined): readonly Part[] {
  const [least, most] = usualYears[rankOf(pair.posting.title) ?? -1] ?? []
  if (least === undefined || most === undefined || resumeValue === undefined) return []
  const share = resumeValue > most ? 0.6 : Math.min(1, least === 0 ? 1 : (resumeValue + 1) / least)
  const says = inLanguage(
    pair,
    `这一级别通常需要${least}年左右经验，简历显示约${resumeValue}年`,
    resumeValue > most
      ? `The title is usually for less than ${most} years of experience; the resume shows about ${resumeValue}`
      : `The title usually stands for ${least} years or more; the resume shows about ${resumeValue}`,
  )
  return [
    {
      kind: 'seniority',
      met: metBy(share),
      weight: 8,
      share,
      blocks: false,
      says,
      quote: pair.posting.title,
    },
  ]
}

const DEGREE_NAMES = {
  zh: { associate: '大专', bachelor: '本科', master: '硕士', doctor: '博士' },
  en: {
    associate: 'an associate degree',
    bachelor: "a bachelor's degree",
    master: "a master's degree",
    doctor: 'a doctorate',
  },
} as const

function degree(pair: Pair): readonly Part[] {
  const demand = degreeAsked(pair.posting.description)
  if (!demand) return []
  const name = DEGREE_NAMES[pair.language][demand.degree]
  const resumeValue = degreeShown(pair.resume.data)
  const part = { kind: 'degree', quote: demand.quote } as const
  if (resumeValue === undefined) {
    const says = inLanguage(
      pair,
      `要求${name}，简历中没有写学历`,
      `Asks for ${name}; the resume names no degree`,
    )
    return [{ ...part, ...UNKNOWN, says }]
  }
  const has = degrees.indexOf(resumeValue) >= degrees.indexOf(demand.degree)
  const share = has ? 1 : demand.equivalent ? 0.6 : 0
  const says = has
    ? inLanguage(pair, `要求${name}，简历符合`, `Asks for ${name}; the resume has it`)
    : inLanguage(
        pair,
        `要求${name}，简历为${DEGREE_NAMES.zh[resumeValue]}`,
        `Asks for ${name}; the resume shows ${DEGREE_NAMES.en[resumeValue]}`,
      )
  return [{ ...part, met: metBy(share), weight: 6, share, blocks: !has && !demand.equivalent, says }]
}
