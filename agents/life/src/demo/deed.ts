import type { DemoCall, DemoText } from 'dragoman/agents'

/** The same words in each language. */
export type Phrase = Exclude<DemoText, string>

/** A use of one of the life agent's tools, and why. */
export type Deed = DemoCall & {
  readonly thought: Phrase
  /** What its user is told before it: of what waits for their yes. */
  readonly lead?: Phrase
}

/** A day of the calendar in common use, months from 1. */
export type Day = { readonly year: number; readonly month: number; readonly day: number }

/** One wish of a request, and what the rules may rest on: the day that the system's words name, where they do. */
export type Asked = {
  readonly words: string
  readonly today: Day | undefined
  /** No birth data is saved. */
  readonly lacksBirth?: boolean
}

/** `2026-01-21` */
export function isoOf({ year, month, day }: Day): string {
  return [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join(
    '-',
  )
}

/** The day so many days, or months, later: a month that is too short ends with its last day. */
export function later(
  { year, month, day }: Day,
  by: { readonly days?: number; readonly months?: number },
): Day {
  const first = new Date(Date.UTC(year, month - 1 + (by.months ?? 0), 1))
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const at = new Date(first)
  at.setUTCDate(Math.min(day, length) + (by.days ?? 0))
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() }
}
