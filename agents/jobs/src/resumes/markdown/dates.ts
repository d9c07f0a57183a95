/** A time as a resume gives it: JSON Resume's partial dates. What still goes on has no end. */
export type Dates = { readonly start?: string; readonly end?: string }

/**
 * A range of dates in a text. `said` is the whole of it, `from` and `to` its ends as they are written; one that goes
 * on has no end.
 */
export type DateRange = Dates & {
  readonly start: string
  readonly said: string
  readonly from: string
  readonly to?: string
}

/** Dates found in a line, and the line without them. */
export type FoundDates = Dates & { readonly range: boolean; readonly rest: string }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|' +
  'sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?'
const YEAR = '(?:19|20)\\d\\d'
const MM = '(?:1[0-2]|0?[1-9])'
const DD = '(?:3[01]|[12]\\d|0?[1-9])'
/** The longer ones first. */
const WITH_MONTH = [
  `${YEAR}\\s?年\\s?${MM}\\s?月(?:\\s?${DD}\\s?[日号])?`,
  `${YEAR}\\s?[-./]\\s?${MM}\\s?[-./]\\s?${DD}(?!\\d)`,
  `${YEAR}\\s?[-./]\\s?${MM}(?![\\d年])`,
  `${MONTH}\\s+${DD}(?:st|nd|rd|th)?,?\\s+${YEAR}`,
  `${DD}(?:st|nd|rd|th)?\\s+${MONTH},?\\s+${YEAR}`,
  `${MONTH},?\\s*${YEAR}`,
  `${MM}\\s?[/.]\\s?${YEAR}`,
].join('|')
const DATE = `${WITH_MONTH}|${YEAR}\\s?年?`
const NOW = '至今|现在|目前|今|present|current(?:ly)?|now|today|ongoing'
const TO = '\\s*(?:[-–—−~～]+|至|到|\\bto\\b|\\buntil\\b)\\s*'
const EDGE = '(?<![\\p{L}\\p{N}.])'
const END = '(?![\\p{L}\\p{N}])'

const RANGE = new RegExp(
  `(?<![\\p{Script=Latin}\\p{N}.]|\\d-)(${DATE})${TO}(?:(${DATE})|(?:${NOW}))(?![\\p{Script=Latin}\\p{N}])`,
  'iu',
)
const EVERY_RANGE = new RegExp(RANGE.source, 'giu')
const EVERY_DATE = new RegExp(
  `(?<![\\p{Script=Latin}\\p{N}.])(?:${DATE})(?![\\p{Script=Latin}\\p{N}%]|(?<=\\d)[.,]\\d)`,
  'giu',
)
const SINCE = new RegExp(`${EDGE}(?:since|from)\\s+(${DATE})${END}|(${DATE})\\s?(?:起|以来)`, 'iu')
const EVERY_SINCE = new RegExp(SINCE.source, 'giu')
const UNTIL = new RegExp(`^\\s*(?:[-–—−~～]+|\\b(?:to|until)\\b)\\s*(${DATE})(?=\\s*(?:[|｜]|$))`, 'iu')
/** A single date is only one where it stands for itself, or with its month at an end of the line. */
const SINGLE = new RegExp(
  `(?<=^|[|｜(（\\[【,，·•—–\\t]\\s{0,9}|\\s-\\s|\\s{2})(${DATE})(?=\\s*(?:$|[|｜)）\\]】,，·•—–\\t]|\\s-\\s|\\s{2}))`,
  'iu',
)
const AT_AN_END = new RegExp(
  `^(${DATE})(?=\\s+\\p{Script=Han})|^(${WITH_MONTH})(?=\\s)|(?<=\\s)(${WITH_MONTH})$`,
  'iu',
)

const ONE_YEAR = new RegExp(YEAR)
const ONE_MONTH = new RegExp(`(?<!\\p{L})${MONTH}`, 'iu')

/** One date as JSON Resume writes it. */
export function isoDate(text: string): string | undefined {
  const year = ONE_YEAR.exec(text)?.[0]
  if (year === undefined) return undefined
  const word = ONE_MONTH.exec(text)?.[0]
  const numbers = (text.replace(year, ' ').match(/\d{1,2}/g) ?? []).map(Number)
  const month = word ? MONTHS.indexOf(word.slice(0, 3).toLowerCase()) + 1 : numbers.shift()
  return [year, month, numbers[0]]
    .filter((part) => part !== undefined)
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
}

/** Every range of dates in a text: `2015.06 - 目前`, `Since June 2015`. */
export function dateRanges(text: string): readonly DateRange[] {
  const closed = Array.from(text.matchAll(EVERY_RANGE), (match) => toRange(match, match[1], match[2]))
  const rest = text.replace(EVERY_RANGE, (match) => ' '.repeat(match.length))
  const open = Array.from(rest.matchAll(EVERY_SINCE), (match) => toRange(match, match[1] ?? match[2]))
  return [...closed, ...open].flat()
}

/** Every date in a text, as it is written and as JSON Resume writes it. */
export function datesIn(text: string): readonly { readonly said: string; readonly date: string }[] {
  return Array.from(text.matchAll(EVERY_DATE), ([match]) => ({ said: match, date: isoDate(match) ?? '' }))
}

function toRange([match]: RegExpExecArray, from = '', to?: string): readonly DateRange[] {
  const { start, end } = dates(from, to)
  if (start === undefined) return []
  return [{ start, said: match, from, ...(to !== undefined && { to }), ...(end !== undefined && { end }) }]
}

/** The first dates in a line: a range anywhere, a single date where it stands apart. */
export function findDates(line: string): FoundDates | undefined {
  const text = line.slice(0, 500)
  const range = RANGE.exec(text)
  if (range) return { ...dates(range[1], range[2]), range: true, rest: without(line, range) }
  const since = SINCE.exec(text)
  if (since) return { ...dates(since[1] ?? since[2]), range: true, rest: without(line, since) }
  const until = UNTIL.exec(text)
  if (until) return { ...dates(undefined, until[1]), range: true, rest: without(line, until) }
  const single = SINGLE.exec(text) ?? AT_AN_END.exec(text)
  if (!single) return undefined
  return { ...dates(single[1] ?? single[2] ?? single[3]), range: false, rest: without(line, single) }
}

function dates(start?: string, end?: string): Dates {
  const [from, to] = [start, end].map((date) => (date === undefined ? undefined : isoDate(date)))
  return { ...(from !== undefined && { start: from }), ...(to !== undefined && { end: to }) }
}

/** What stands round the dates, without the brackets that held them. */
function without(line: string, { index, 0: found }: RegExpExecArray): string {
  const before = line.slice(0, index).replace(/(?<![\s(（[【,，])[\s(（[【,，]+$/, '')
  const after = line.slice(index + found.length).replace(/^[\s)）\]】,，]+/, '')
  const apart = before !== '' && after !== '' && !/^[|｜]/.test(after) && !/[|｜]$/.test(before)
  return `${before}${apart ? ' | ' : ' '}${after}`.replace(/^[\s|｜]+|(?<![\s|｜])[\s|｜]+$/g, '')
}
