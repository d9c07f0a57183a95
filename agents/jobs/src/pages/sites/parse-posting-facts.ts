import { workplaceIn } from '../../places/workplace.ts'
import type { SiteReading } from './site.ts'

/** More than this is no fact but prose. */
const MAX_LINE_LENGTH = 120

const CODE = 'USD|EUR|GBP|CAD|AUD|CHF|SGD|HKD|INR|JPY|CNY|RMB'
const PAY = new RegExp(
  String.raw`[$€£¥￥₹]\s?\d|\b(?:${CODE})\b\D{0,3}\d|\d\s?(?:USD|EUR|GBP|CAD|CHF)\b|` +
    String.raw`\d\s?[kK千万]?\s?[-–~至]\s?\d[\d.]{0,6}\s?(?:k\b|K|万|千|元)|^(?:薪资)?面议$`,
)
const NO_PAY = /premium|for free|referral|奖学金/i

/** The names of https://schema.org/employmentType. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\bfull[-_ ]?time\b|全职/i, 'FULL_TIME'],
  [/\bpart[-_ ]?time\b|兼职/i, 'PART_TIME'],
  [/\bcontract(?:or)?\b|合同工/i, 'CONTRACTOR'],
  [/\btemp(?:orary)?\b|临时工/i, 'TEMPORARY'],
  [/\bintern(?:ship)?\b|实习/i, 'INTERN'],
  [/\bvolunteer\b|志愿者/i, 'VOLUNTEER'],
]

const DAY_MS = 86_400_000
const UNITS: Readonly<Record<string, number>> = { h: 0, d: 1, w: 7, mo: 30, y: 365 }
const UNIT_NAMES: readonly (readonly [RegExp, keyof typeof UNITS])[] = [
  [/^(?:h|hrs?|hours?|m|min|minutes?|小时|分钟)$/i, 'h'],
  [/^(?:d|days?|天|日)$/i, 'd'],
  [/^(?:w|weeks?|周|星期)$/i, 'w'],
  [/^(?:mo|months?|个?月)$/i, 'mo'],
  [/^(?:y|yrs?|years?|年)$/i, 'y'],
]

/**
 * Sorts short texts into what they say of a posting, the first of each kind. `seenAt`: what "two days ago" counts
 * from.
 */
export function parsePostingFacts(texts: readonly string[], seenAt: Date): SiteReading {
  const short = texts
    .map((text) => text.trim())
    .filter((text) => text !== '' && text.length <= MAX_LINE_LENGTH)
  const first = <T>(read: (text: string) => T | null): T | null =>
    short.map(read).find((found) => found !== null) ?? null
  return {
    salary: short.find(isPay),
    workplace: first(workplaceIn),
    employmentType: first(employmentIn),
    postedAt: first((text) => dayIn(text, seenAt)),
  }
}

/** Whether a short text states pay. */
export function isPay(text: string): boolean {
  return text.length <= MAX_LINE_LENGTH && PAY.test(text) && !NO_PAY.test(text)
}

/** The kinds of employment that a text names, as schema.org does; null if none. */
export function employmentIn(text: string): string | null {
  const kinds = KINDS.filter(([pattern]) => pattern.test(text)).map(([, kind]) => kind)
  return kinds.length > 0 ? kinds.join(', ') : null
}

/** The day that a text names, outright or as so long ago. */
function dayIn(text: string, seenAt: Date): string | null {
  const whole = /(?<!\d)(20\d\d)[-/.年](\d{1,2})[-/.月](\d{1,2})(?!\d)/.exec(text)
  if (whole) return iso(Number(whole[1]), Number(whole[2]), Number(whole[3]))
  const days = daysAgo(text)
  if (days !== null) return startOf(new Date(seenAt.getTime() - days * DAY_MS))
  const ofYear = /(?<![\d-])(\d{1,2})[-月](\d{1,2})日?\s*(?:发布|更新)/.exec(text)
  return ofYear ? lastTime(Number(ofYear[1]), Number(ofYear[2]), seenAt) : null
}

function daysAgo(text: string): number | null {
  if (/^(?:.*\b)?(?:just (?:now|posted)|today)\b|刚刚|今天|今日/i.test(text)) return 0
  if (/\byesterday\b|昨天/i.test(text)) return 1
  const label =
    /(\d{1,3}|\ban?)\+?\s*(hours?|minutes?|days?|weeks?|months?|years?)\s+ago\b/i.exec(text) ??
    /(\d{1,3})\s*(小时|分钟|天|日|周|星期|个?月|年)(?:前|以前)/.exec(text) ??
    // Glassdoor: 24h, 5d, 30d+.
    /^(\d{1,2})([hd])\+?$/.exec(text)
  if (!label) return null
  const [, amount = '', unit = ''] = label
  const name = UNIT_NAMES.find(([pattern]) => pattern.test(unit))?.[1] ?? 'd'
  return (/^an?$/i.test(amount) ? 1 : Number(amount)) * (UNITS[name] ?? 1)
}

/** A day without its year was the last of its name. */
function lastTime(month: number, day: number, seenAt: Date): string | null {
  const year = seenAt.getUTCFullYear()
  const found = iso(year, month, day)
  return found !== null && found > new Date(seenAt.getTime() + DAY_MS).toISOString()
    ? iso(year - 1, month, day)
    : found
}

function iso(year: number, month: number, day: number): string | null {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString() : null
}

function startOf(date: Date): string {
  return `${date.toISOString().slice(0, 10)}T00:00:00.000Z`
}

/** BOSS draws the digits of its pay with a font of its own, in the private area of Unicode. */
export function plainDigits(text: string): string {
  return text.replace(/[\uE031-\uE03A]/g, (digit) => String(digit.charCodeAt(0) - 0xe031))
}
