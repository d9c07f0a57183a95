import { isServiceError } from 'dragoman/errors'
import type { Phrase } from '../language.ts'
import type { CalendarDate } from './birth.ts'
import { fieldError } from './field-error.ts'
import { NUMBER, hundredsIn, numberIn, normalizeText } from './chinese-numbers.ts'

export type Calendar = CalendarDate['calendar']

const FIELD = 'birthDate'
/** In characters: no way of writing a date is longer. */
const MAX_DATE_LENGTH = 60
/** The library's tables of the lunar calendar are held against a second reckoning from here on. */
const FIRST_YEAR = 1900

const UNREADABLE: Phrase = {
  en: 'write it as 1990-05-15, or as 农历1990年四月廿一 by the lunar calendar.',
  zh: '没能看懂。请写成 1990-05-15 或 1990年5月15日；农历请写成 农历1990年四月廿一。',
}
const TWO_DIGITS: Phrase = {
  en: 'write the year with four digits, as 1990.',
  zh: '年份请写四位，比如 1990。',
}
const WHICH_FIRST: Phrase = {
  en: 'it is not clear which is the month and which the day: write 1990-05-15.',
  zh: '分不清哪个是月、哪个是日，请写成 1990-05-15。',
}
const NOT_BOTH: Phrase = {
  en: 'the calendar and the date contradict each other: say which it is, solar or lunar.',
  zh: '日期和历法对不上：请说明是公历还是农历。',
}
const TOO_EARLY: Phrase = {
  en: `charts begin in ${FIRST_YEAR}.`,
  zh: `目前只支持 ${FIRST_YEAR} 年以后出生的人。`,
}
const IN_FUTURE: Phrase = { en: 'it lies in the future.', zh: '这个日期还没到。' }

/** What stands in a text, before it is known whether there was such a day. */
type DateParts = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly leap?: boolean
  /** The words are those of one calendar alone, as 正月初三. */
  readonly lunar?: boolean
}

/**
 * A date of birth: `1990-05-15`, `1990年5月15日`, `民国79年5月15日`, `15 May 1990`, `农历1990年四月廿一`, `lunar 1990-04-21`, `闰五月`.
 * `calendar` is what a form's own field says of it. Whether there was such a day is `checkDate`'s. @throws ServiceError
 * `invalid-input`
 */
export function readBirthDate(text: string, calendar?: Calendar): CalendarDate {
  if (text.length > MAX_DATE_LENGTH) throw fieldError(FIELD, UNREADABLE)
  const { calendar: named, leap: leapNamed, rest } = withoutCalendar(normalizeText(text))
  const parts = inNumbers(rest) ?? inChinese(republicanYear(rest)) ?? inEnglish(rest)
  if (!parts) throw fieldError(FIELD, /^\d{2}\D/.test(rest) && !/\d{4}/.test(rest) ? TWO_DIGITS : UNREADABLE)
  const leap = leapNamed || parts.leap === true
  const lunar = parts.lunar === true || leap ? ('lunar' as const) : undefined
  const claims = new Set([calendar, named, lunar].filter((one) => one !== undefined))
  if (claims.size > 1) throw fieldError(FIELD, NOT_BOTH)
  const found = calendar ?? named ?? lunar ?? 'solar'
  if (parts.year < 100) throw fieldError(FIELD, TWO_DIGITS)
  const { year, month, day } = parts
  return { calendar: found, year, month, day, ...(leap && { leap }) }
}

const CALENDARS: readonly (readonly [RegExp, Calendar])[] = [
  [/农历|阴历|旧历|夏历|[農陰舊夏]曆|\(?lunar(?: calendar)?\)?|\bnong ?li\b/, 'lunar'],
  [/公历|阳历|新历|西历|国历|[公陽新西國]曆|公元|\(?(?:solar|gregorian)(?: calendar)?\)?/, 'solar'],
]

function withoutCalendar(text: string): { calendar?: Calendar; leap: boolean; rest: string } {
  let rest = text
  let calendar: Calendar | undefined
  for (const [words, which] of CALENDARS) {
    if (!words.test(rest)) continue
    if (calendar) throw fieldError(FIELD, NOT_BOTH)
    calendar = which
    rest = rest.replace(words, ' ')
  }
  const leap = /\(?\bleap(?: month)?\b\)?/.exec(rest)?.[0]
  if (leap !== undefined) rest = rest.replace(leap, ' ')
  rest = rest.replace(/^[\s:,，.]+|[\s,，.]+$/g, '').replace(/ {2,}/g, ' ')
  return { ...(calendar && { calendar }), leap: leap !== undefined, rest }
}

function inNumbers(text: string): DateParts | undefined {
  const [, year, , month, day] =
    /^(\d{4}) ?([-/.]) ?(\d{1,2}) ?\2 ?(\d{1,2})$/.exec(text) ??
    /^(\d{4})()(\d\d)(\d\d)$/.exec(text) ??
    /^(\d{4})( )(\d{1,2}) (\d{1,2})$/.exec(text) ??
    []
  if (day !== undefined) return { year: Number(year), month: Number(month), day: Number(day) }
  const [, first, second, last] = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(text) ?? []
  if (last === undefined) return undefined
  const [a, b] = [Number(first), Number(second)]
  if (a !== b && a <= 12 && b <= 12) throw fieldError(FIELD, WHICH_FIRST)
  return { year: Number(last), month: Math.min(a, b), day: Math.max(a, b) }
}

/** 民国79年, as papers in Taiwan have it: the first is 1912. */
const OF_REPUBLIC = /^(?:中[华華])?民[国國] ?(元|[\d〇○零一二三四五六七八九十百]{1,5}) ?年/

function republicanYear(text: string): string {
  return text.replace(OF_REPUBLIC, (whole, words: string) => {
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

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WHOLE =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|[a-z]{3}|sept)$/

function inEnglish(text: string): DateParts | undefined {
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]([a-z]{3,9})\.?,?[ -](\d{4})$/.exec(text)
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/.exec(text)
  const [name = '', day, year] = dayFirst
    ? [dayFirst[2], dayFirst[1], dayFirst[3]]
    : [monthFirst?.[1], monthFirst?.[2], monthFirst?.[3]]
  const month = WHOLE.test(name) ? MONTHS.indexOf(name.slice(0, 3)) + 1 : 0
  return month === 0 ? undefined : { year: Number(year), month, day: Number(day) }
}

const HOUR = 3_600_000

/**
 * That there was such a day, and when. @throws ServiceError `invalid-input` for one that there was not, that is not
 * yet, or before 1900
 */
export async function checkDate(date: CalendarDate, now: Date): Promise<CalendarDate> {
  // The last weeks of the lunar 1899 lie in 1900.
  if (date.year < FIRST_YEAR - (date.calendar === 'lunar' ? 1 : 0)) throw fieldError(FIELD, TOO_EARLY)
  if (date.year > now.getUTCFullYear() + 1) throw fieldError(FIELD, IN_FUTURE)
  const { midnightOf } = await import('../chart/calendar.ts')
  try {
    const midnight = midnightOf(date)
    // Somewhere it is already the day that is tomorrow here.
    if (midnight > now.getTime() + 14 * HOUR) throw fieldError(FIELD, IN_FUTURE)
    return date
  } catch (error) {
    if (!isServiceError(error) || error.translations['zh'] !== undefined) throw error
    if (date.year < FIRST_YEAR) throw fieldError(FIELD, TOO_EARLY)
    const en = error.message.replace(/^birthDate: /, '')
    throw fieldError(FIELD, { en, zh: missing(date) })
  }
}

function missing({ calendar, year, month, day, leap }: CalendarDate): string {
  const named = `${year}年${leap ? '闰' : ''}${month}月`
  return calendar === 'lunar'
    ? `农历没有${named}的第${day}天，请再核对一下（闰月、小月最容易记错）。`
    : `公历没有${named}${day}日，请再核对一下。`
}
