import type { JsonResume } from '../resumes/json-resume.ts'

/** Months since the year 0: from the first of one to the end of the other. */
type Period = { readonly from: number; readonly to: number }

const CLAIM =
  /(\d{1,2})\s?\+?\s?(?:years?|年)(?:以上|多)?(?:的|\sof|\sin)?[^\n.。,，]{0,30}?(?:experience|经验)/giu
const MAX_CLAIM_YEARS = 50

/**
 * The years of work that the dates of a resume's jobs show, overlapping jobs counted once. Without dates, the years
 * that its head claims.
 */
export function yearsShown({ work = [], basics }: JsonResume, now: Date): number | undefined {
  const periods = work.flatMap((job) => periodOf(job, now))
  if (periods.length === 0) return yearsClaimed(`${basics?.label}\n${basics?.summary}`)
  let months = 0
  let reached = 0
  for (const { from, to } of periods.toSorted((one, other) => one.from - other.from)) {
    months += Math.max(0, to - Math.max(from, reached))
    reached = Math.max(reached, to)
  }
  return Math.round((months / 12) * 10) / 10
}

type Job = { readonly startDate?: string | undefined; readonly endDate?: string | undefined }

function periodOf({ startDate, endDate }: Job, now: Date): readonly Period[] {
  if (startDate === undefined) return []
  const present = now.getUTCFullYear() * 12 + now.getUTCMonth() + 1
  const [startYear = 0, startMonth = 1] = startDate.split('-').map(Number)
  const from = startYear * 12 + startMonth - 1
  if (endDate === undefined) return from < present ? [{ from, to: present }] : []
  const [endYear = 0, endMonth] = endDate.split('-').map(Number)
  // `2019 – 2022` counts as three years, `2019 – 2019` as one.
  const to = endYear * 12 + (endMonth ?? (endYear === startYear ? 12 : 0))
  return to > from && from < present ? [{ from, to: Math.min(to, present) }] : []
}

function yearsClaimed(text: string): number | undefined {
  const years = Array.from(text.matchAll(CLAIM), ([, number]) => Number(number))
  const possible = years.filter((number) => number <= MAX_CLAIM_YEARS)
  return possible.length > 0 ? Math.max(...possible) : undefined
}
