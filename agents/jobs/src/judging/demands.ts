import type { JsonResume } from '../resumes/json-resume.ts'
import { clausesOf } from '../skills/clauses.ts'
import { sentencesOf } from '../skills/posting-sections.ts'
import { skillNamed } from '../skills/skill-table.ts'
import type { WantedSkill } from '../skills/wanted-skills.ts'
import type { Language } from '../words/language.ts'
import { wordPattern } from '../words/word-pattern.ts'
import words from './demand-words.json' with { type: 'json' }

/** What postings demand besides skills and years, and what resumes show of it. */

/** From the lowest to the highest. */
export const degrees = ['associate', 'bachelor', 'master', 'doctor'] as const
export type Degree = (typeof degrees)[number]

const DEGREES = degrees.map((degree) => [degree, wordPattern(words.degrees[degree])] as const)
const EQUIVALENT =
  /equivalent|or (?:similar|comparable|relevant|related)? ?(?:work |practical )?experience|同等|相当|不限/iu

export type DegreeAsked = { readonly degree: Degree; readonly equivalent: boolean; readonly quote: string }

/** The lowest degree that a posting is content with. */
export function degreeAsked(description: string): DegreeAsked | undefined {
  for (const sentence of sentencesOf(description)) {
    if (sentence.section === 'other') continue
    for (const { text, need } of clausesOf(sentence)) {
      const degree = need === 'nice' ? undefined : DEGREES.find(([, pattern]) => pattern.test(text))?.[0]
      if (degree) return { degree, equivalent: EQUIVALENT.test(sentence.text), quote: text.trim() }
    }
  }
  return undefined
}

/** The highest degree that a resume shows. */
export function degreeShown({ education, basics }: JsonResume): Degree | undefined {
  const schools = (education ?? []).flatMap((school) => Object.values(school).flat())
  const text = [...schools, basics?.['x-degree']].join(', ')
  return DEGREES.findLast(([, pattern]) => pattern.test(text))?.[0]
}

export type LanguageAsked = { readonly language: string; readonly quote: string }

/** The human languages among what a posting requires. */
export function languagesAsked(skills: readonly WantedSkill[]): readonly LanguageAsked[] {
  return skills
    .filter(({ skill, need }) => need === 'required' && isLanguage(skill))
    .map(({ skill, quote }) => ({ language: skill, quote }))
}

/** Those among what a resume names, and the one that it is written in. */
export function languagesShown(named: ReadonlySet<string>, language: Language): ReadonlySet<string> {
  return new Set([...[...named].filter(isLanguage), language === 'zh' ? 'Chinese' : 'English'])
}

function isLanguage(skill: string): boolean {
  return skillNamed(skill)?.category === 'language'
}

const PERMIT = wordPattern(words.permit)
/** Sentences about equal opportunity name citizenship without a requirement. */
const POLICY = /regardless of|without regard|equal opportunity|discriminat|race|religion/iu

/** What a posting says of work permits, visas and clearances, sentence by sentence. */
export function permitSentences(description: string): readonly string[] {
  return sentencesOf(description)
    .map(({ text }) => text)
    .filter((text) => PERMIT.test(text) && !POLICY.test(text))
    .slice(0, 5)
}

/** Ranks by which titles differ. */
const RANKS: readonly (readonly [number, RegExp])[] = [
  [0, /\bintern(?:ship)?\b|\btrainee\b|\bworking student\b|实习/iu],
  [5, /\b(?:director|vp|vice president|head of|chief|cto|ceo)\b|总监|副总裁/iu],
  [4, /\b(?:staff|principal|lead|architect|engineering manager)\b|架构师|技术专家|负责人|组长|主管/iu],
  [3, /\b(?:senior|sr)\b|高级|资深/iu],
  [1, /\b(?:junior|jr|entry[- ]level|graduate|new grad)\b|初级|应届|校招|助理/iu],
]

/** How high a title stands, if it says so: 0 for an intern, 5 for a director. */
export function rankOf(title: string): number | undefined {
  return RANKS.find(([, pattern]) => pattern.test(title))?.[0]
}

/** The years of work that usually stand behind a title of each rank. */
export const usualYears: readonly [least: number, most: number][] = [
  [0, 1],
  [0, 3],
  [2, 7],
  [5, 30],
  [7, 30],
  [9, 40],
]
