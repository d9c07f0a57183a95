import { isServiceError } from 'dragoman/errors'
import { fillIn } from '../language.ts'
import type { CalendarDate } from './birth.ts'
import errors from './birth-texts.json' with { type: 'json' }
import { fieldError } from './field-error.ts'
import { NUMBER, hundredsIn, numberIn, normalizeText } from './chinese-numbers.ts'

export type Calendar = CalendarDate['calendar']

const FIELD = 'birthDate'
/** No spelling of a date is longer. */
const MAX_DATE_LENGTH = 60
/** From this year on, the lunar calendar of tyme4ts is tested against a second library. */
const FIRST_YEAR = 1900
const HOUR_MS = 3_600_000

const texts = errors.date

/** The numbers in a text. The day need not exist. */
type DateParts = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly leap?: boolean
  /** Set if only the lunar calendar has such words, as 正月初三. */
  readonly lunar?: boolean
}

/**
 * Reads a date: `1990-05-15`, `1990年5月15日`, `民国79年5月15日`, `15 May 1990`, `农历1990年四月廿一`, `lunar 1990-04-21`.
 * `calendar` is the form's own field. `checkDate` tells whether the day exists. @throws ServiceError `invalid-input`
 */
export function parseBirthDate(text: string, calendar?: Calendar): CalendarDate {
  if (text.length > MAX_DATE_LENGTH) throw fieldError(FIELD, texts.unreadable)
  const { calendar: inText, isLeap, rest } = splitCalendar(normalizeText(text))
  const parts = inNumbers(rest) ?? inChinese(replaceRepublicYear(rest)) ?? inEnglish(rest)
  if (!parts || parts.year < 100) {
    const hasShortYear = parts ?? (/^\d{2}\D/.test(rest) && !/\d{4}/.test(rest))
    throw fieldError(FIELD, hasShortYear ? texts.twoDigits : texts.unreadable)
  }
  const { year, month, day } = parts
  const leap = isLeap || parts.leap === true
  const lunar = parts.lunar === true || leap ? ('lunar' as const) : undefined
  const [only = 'solar', ...others] = new Set([calendar, inText, lunar].filter((one) => one !== undefined))
  if (others.length > 0) throw fieldError(FIELD, texts.contradictory)
  return { calendar: only, year, month, day, ...(leap && { leap }) }
}

const CALENDARS: readonly (readonly [RegExp, Calendar])[] = [
  [/农历|阴历|旧历|夏历|[農陰舊夏]曆|\(?lunar(?: calendar)?\)?|\bnong ?li\b/, 'lunar'],
  [/公历|阳历|新历|西历|国历|[公陽新西國]曆|公元|\(?(?:solar|gregorian)(?: calendar)?\)?/, 'solar'],
]

/** The calendar that a field of its own names. @throws ServiceError `invalid-input` */
export function parseCalendar(text: string): Calendar {
  const { calendar, rest } = splitCalendar(normalizeText(text))
  if (calendar && rest === '') return calendar
  throw fieldError('calendar', errors.noCalendar)
}

function splitCalendar(text: string): { calendar?: Calendar; isLeap: boolean; rest: string } {
  const [first, second] = CALENDARS.filter(([words]) => words.test(text))
  if (second) throw fieldError(FIELD, texts.contradictory)
  const withoutCalendar = first ? text.replace(first[0], ' ') : text
  const withoutLeap = withoutCalendar.replace(/\(?\bleap(?: month)?\b\)?/, ' ')
  const rest = withoutLeap.replace(/^[\s:,，.]+|(?<![\s,，.])[\s,，.]+$/g, '').replace(/ {2,}/g, ' ')
  return { ...(first && { calendar: first[1] }), isLeap: withoutLeap !== withoutCalendar, rest }
}

function inNumbers(text: string): DateParts | undefined {
  const [, year, month, day] =
    /^(\d{4}) ?- ?(\d{1,2}) ?- ?(\d{1,2})$/.exec(text) ??
    /^(\d{4}) ?\/ ?(\d{1,2}) ?\/ ?(\d{1,2})$/.exec(text) ??
    /^(\d{4}) ?\. ?(\d{1,2}) ?\. ?(\d{1,2})$/.exec(text) ??
    /^(\d{4})(\d\d)(\d\d)$/.exec(text) ??
    /^(\d{4}) (\d{1,2}) (\d{1,2})$/.exec(text) ??
    []
  if (day !== undefined) return { year: Number(year), month: Number(month), day: Number(day) }
  const [, first, second, last] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text) ?? []
  if (last === undefined) return undefined
  const [a, b] = [Number(first), Number(second)]
  if (a !== b && a <= 12 && b <= 12) throw fieldError(FIELD, texts.ambiguous)
  return { year: Number(last), month: Math.min(a, b), day: Math.max(a, b) }
}

/** 民国79年, as in documents of Taiwan. The first year is 1912. */
const REPUBLIC_YEAR = /^(?:中[华華])?民[国國] ?(元|[\d〇○零一二三四五六七八九十百]{1,5}) ?年/

function replaceRepublicYear(text: string): string {
  return text.replace(REPUBLIC_YEAR, (whole, words: string) => {
    const year = words === '元' ? 1 : hundredsIn(words)
    return year === undefined ? whole : `${1911 + year}年`
  })
}

const CHINESE = new RegExp(
  `^(${NUMBER}) ?年 ?(闰|閏)? ?(正|冬|腊|臘|${NUMBER}) ?月 ?(初)?(${NUMBER}) ?[日号號]?$`,
)
const MONTHS_BY_NAME: Readonly<Record<string, number>> = { 正: 1, 冬: 11, 腊: 12, 臘: 12 }

function inChinese(text: string): DateParts | undefined {
  const [, yearWords = '', leap, monthWords = '', first, dayWords = ''] = CHINESE.exec(text) ?? []
  const year = numberIn(yearWords)
  const month = MONTHS_BY_NAME[monthWords] ?? numberIn(monthWords)
  const day = numberIn(dayWords)
  if (year === undefined || month === undefined || day === undefined) return undefined
  const lunar = first !== undefined || /廿|卅/.test(dayWords) || monthWords in MONTHS_BY_NAME
  return { year, month, day, ...(leap !== undefined && { leap: true }), ...(lunar && { lunar }) }
}

const MONTHS = 'january february march april may june july august september october november december'.split(
  ' ',
)

function inEnglish(text: string): DateParts | undefined {
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})$/.exec(text)
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(text)
  const [name = '', day, year] = dayFirst
    ? [dayFirst[2], dayFirst[1], dayFirst[3]]
    : [monthFirst?.[1], monthFirst?.[2], monthFirst?.[3]]
  const month =
    MONTHS.findIndex((each) => [each, each.slice(0, 3)].includes(name.replace(/^sept$/, 'sep'))) + 1
  return month === 0 ? undefined : { year: Number(year), month, day: Number(day) }
}

/** @throws ServiceError `invalid-input` for a day that does not exist, lies in the future or before 1900 */
export async function checkDate(date: CalendarDate, now: Date): Promise<CalendarDate> {
  // The last weeks of the lunar 1899 lie in 1900.
  if (date.year < FIRST_YEAR - (date.calendar === 'lunar' ? 1 : 0)) throw fieldError(FIELD, texts.tooEarly)
  if (date.year > now.getUTCFullYear() + 1) throw fieldError(FIELD, texts.inFuture)
  const { midnightOf } = await import('../chart/calendar.ts')
  try {
    const midnight = midnightOf(date)
    // In some zone it already is the next day.
    if (midnight > now.getTime() + 14 * HOUR_MS) throw fieldError(FIELD, texts.inFuture)
    return date
  } catch (error) {
    if (!isServiceError(error) || error.translations['zh'] !== undefined) throw error
    if (date.year < FIRST_YEAR) throw fieldError(FIELD, texts.tooEarly)
    const { calendar, year, day, leap } = date
    const month = `${year}年${leap ? '闰' : ''}${date.month}月`
    const reason = error.message.replace(/^birthDate: /, '')
    const words = calendar === 'lunar' ? texts.noLunarDay : texts.noSolarDay
    throw fieldError(FIELD, fillIn(words, { month, day, reason }))
  }
}
