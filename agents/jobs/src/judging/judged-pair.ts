import type { Selectable } from 'kysely'
import { z } from 'zod'

import type { Workplace } from '../places/workplace.ts'
import type { Posting } from '../postings/posting.ts'
import type { JsonResume } from '../resumes/json-resume.ts'
import type { ResumeRow } from '../tables.ts'
import { languageOf, type Language } from '../words/language.ts'

/** What is judged of a posting, and what it is held against. */
export type JudgedPosting = {
  readonly title: string
  readonly location: string
  readonly workplace: Workplace | null
  readonly description: string
}
/** `data` has what the resume states in fields; `content` is searched for words only. */
export type JudgedResume = {
  readonly content: string
  readonly data: JsonResume
  readonly language: Language
}

export const verdicts = ['High', 'Medium', 'Low'] as const
export const verdictShape = z.enum(verdicts)
export type Verdict = z.infer<typeof verdictShape>

export const metShape = z.enum(['yes', 'partly', 'no', 'unknown'])
export type Met = z.infer<typeof metShape>

/** Of a longer text only the beginning is judged. */
export const MAX_JUDGED_LENGTH = 15_000

export function judgedPosting({ title, location, workplace, jdMarkdown = '' }: Posting): JudgedPosting {
  return {
    title,
    location,
    workplace: workplace ?? null,
    description: jdMarkdown.slice(0, MAX_JUDGED_LENGTH),
  }
}

export function judgedResume({ content, data, language }: Selectable<ResumeRow>): JudgedResume {
  return { content: content.slice(0, MAX_JUDGED_LENGTH), data: JSON.parse(data) as JsonResume, language }
}

/** The language of the answer unless the request names one: the language of the posting. */
export function judgedLanguage({ title, description }: JudgedPosting): Language {
  return languageOf(`${title}\n${description}`)
}

/** What a fit is worth that has so many of a hundred points, and that something may rule out. */
export function verdictOf(score: number, blocked: boolean): Verdict {
  if (score >= 70 && !blocked) return 'High'
  return score >= 45 ? 'Medium' : 'Low'
}

/** So many points an application has at most that something rules out. */
export const MAX_BLOCKED_SCORE = 59
