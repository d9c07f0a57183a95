import { ServiceError } from 'dragoman/errors'

/** A day of the calendar on the wall, in no zone. */
export type CivilDate = { readonly year: number; readonly month: number; readonly day: number }

/** For which years the almanac was held against a second reckoning. */
export const FIRST_YEAR = 1900
export const LAST_YEAR = 2100

const DAY_MS = 86_400_000

/** `2026-01-21`. */
export function formatDate({ year, month, day }: CivilDate): string {
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}

/** What `written` wrote, also beyond the almanac's years. */
export function parseDate(text: string): CivilDate {
  const [, year, month, day] = (/^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []).map(Number)
  return { year: year ?? 0, month: month ?? 0, day: day ?? 0 }
}

/** @throws ServiceError `invalid-input` for what is no such day, naming `field` */
export function readCivilDate(text: string, field: string): CivilDate {
  const date = parseDate(text)
  if (formatDate(fromDays(toDays(date))) !== text || date.year < FIRST_YEAR || date.year > LAST_YEAR) {
    throw new ServiceError(
      'invalid-input',
      `${field} must be a day written as 2026-01-21, from ${FIRST_YEAR} to ${LAST_YEAR}`,
    )
  }
  return date
}

export function addDays(date: CivilDate, days: number): CivilDate {
  return fromDays(toDays(date) + days)
}

/** 0 is Sunday. */
export function weekdayOf({ year, month, day }: CivilDate): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay()
}

/** The day that it is in a zone. */
export function dayIn(zone: string, at: Date): CivilDate {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  }).formatToParts(at)
  const part = (type: 'year' | 'month' | 'day'): number =>
    Number(parts.find((one) => one.type === type)?.value)
  return { year: part('year'), month: part('month'), day: part('day') }
}

/** The hour that a clock shows in a zone, 0 to 23. */
export function hourIn(zone: string, at: Date): number {
  const hour = new Intl.DateTimeFormat('en-US', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' })
  return Number(hour.format(at))
}

function toDays({ year, month, day }: CivilDate): number {
  return Date.UTC(year, month - 1, day) / DAY_MS
}

function fromDays(days: number): CivilDate {
  const at = new Date(days * DAY_MS)
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day: at.getUTCDate() }
}
