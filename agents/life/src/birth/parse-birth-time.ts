import type { Phrase } from '../language.ts'
import type { TimeOfDay } from './birth.ts'
import errors from './birth-texts.json' with { type: 'json' }
import { fieldError } from './field-error.ts'
import { NUMBER, numberIn, normalizeText } from './chinese-numbers.ts'

/** No spelling of a time is longer. */
const MAX_TIME_LENGTH = 40

const texts = errors.time

const UNKNOWN: readonly RegExp[] = [
  /^(?:[-–—?？/]*|无|没有|時辰不詳|不知道?(?:幾點|時辰)|unknown|not known|not sure|unsure|none|n\/?a|null)$/,
  /^(?:i )?(?:don'?t|do not|don’t) (?:know|remember)$/,
  new RegExp(
    '^(?:(?:时辰|具体时间|几点)?' +
      '(?:不知道?|不清楚|不详|未知|不记得了?|记不清楚?了?|记不得了?|不确定|忘了|忘记了?)|不知|没问过)' +
      '(?:(?:具体|是|在)*(?:几点钟?|几时|什么时候|什么时辰|哪个时辰|时辰|时间)(?:了|出?生的?|的)?)?$',
  ),
]

/** 子 to 亥. */
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥'

/**
 * Reads a time by the clock on the wall: `14:30`, `2:30 pm`, `下午两点半`; undefined if the text says that it is unknown.
 * `未时` gives the middle of the double hour, marked as approximate. Times that may mean two hours are refused, never
 * guessed. @throws ServiceError `invalid-input`
 */
export function parseBirthTime(text: string): TimeOfDay | undefined {
  if (text.length > MAX_TIME_LENGTH) throw timeError(texts.unreadable)
  const normalized = normalizeText(text).replace(/[.。!！]$/, '')
  if (UNKNOWN.some((words) => words.test(normalized))) return undefined
  const time = doubleHour(normalized) ?? byNumbers(normalized) ?? byWords(normalized)
  if (time && time.hour <= 23 && time.minute <= 59) return time
  throw timeError(ROUGHLY.test(normalized) ? texts.rough : texts.unreadable)
}

function timeError(words: Phrase): Error {
  return fieldError('birthTime', words)
}

function doubleHour(text: string): TimeOfDay | undefined {
  const [, half, branch] = /^(早|夜|晚)?([子丑寅卯辰巳午未申酉戌亥])(?:时|時|时辰|時辰)?$/.exec(text) ?? []
  if (branch === undefined) return undefined
  if (half === undefined) return { hour: BRANCHES.indexOf(branch) * 2, minute: 0, approximate: true }
  if (branch !== '子') return undefined
  // A day changes within the 子 hour: 早 and 夜 name its two halves.
  return { hour: half === '早' ? 0 : 23, minute: 30, approximate: true }
}

const DIGITS =
  /^(about |around |ca\.? |约|大约|大概)?(\d{1,2})(?:[:.h](\d\d)(?::\d\d(?:\.\d{1,3})?)?)? ?(am|pm|a\.m\.?|p\.m\.?)?$/

function byNumbers(text: string): TimeOfDay | undefined {
  if (/^(?:12 ?)?noon$/.test(text)) return { hour: 12, minute: 0 }
  if (/^(?:12 ?)?midnight$/.test(text)) throw timeError(texts.whichMidnight)
  const [, about, hours, minutes = '0', half] = DIGITS.exec(text) ?? /^()(\d\d)(\d\d)()$/.exec(text) ?? []
  if (hours === undefined) return undefined
  const [hour, minute] = [Number(hours), Number(minutes)]
  const mark = about ? { approximate: true as const } : {}
  if (!half) {
    const isBare = !/[:.h]|\d{4}/.test(text)
    if (isBare) throw timeError(hour >= 1 && hour <= 12 ? halfError(hour) : texts.unreadable)
    if (hour === 24 && minute === 0) throw timeError(texts.whichMidnight)
    return { hour, minute, ...mark }
  }
  if (hour > 12 || hour === 0) return undefined
  return { hour: (hour % 12) + (half.startsWith('p') ? 12 : 0), minute, ...mark }
}

const DAWN = '凌晨'
const MORNING = '清晨|清早|大清早|早晨|早上|上午|早'
const NOON = '中午|正午'
const AFTERNOON = '午后|下午|傍晚|黄昏'
const NIGHT = '半夜|深夜|午夜|夜里|夜间'
const EVENING = '晚上|晚间|夜晚|晚'
const PERIODS = [DAWN, MORNING, NOON, AFTERNOON, NIGHT, EVENING].join('|')
/** 大概傍晚, or 早上八九点. */
const ROUGHLY = new RegExp(
  '^(?:约|大约|大概|好像|可能|应该)*(?:是|在)?' +
    `(?:(?:${PERIODS})(?:时分|的时候|左右)?|` +
    `(?:${PERIODS})?[一二三四五六七八九十两]{2,3}[点點时時]钟?(?:左右|多)?)$|` +
    '^(?:about |around |in the |early |late )*(?:morning|noon|afternoon|evening|night|dawn|dusk)$',
)
const CLOCK = new RegExp(
  `^(约|大约|大概)?(${PERIODS})? ?(${NUMBER}) ?[点點时時:] ?` +
    `(?:(整|钟|鐘|半|一刻|三刻)|(${NUMBER}) ?分?)?(?:钟|鐘)?(左右|多)?$`,
)
const MINUTES: Readonly<Record<string, number>> = { 半: 30, 一刻: 15, 三刻: 45 }

function byWords(text: string): TimeOfDay | undefined {
  if (/^正午$/.test(text)) return { hour: 12, minute: 0 }
  const [, about, period, hours = '', part, minutes, more] = CLOCK.exec(text) ?? []
  const hour = numberIn(hours)
  const minute = part === undefined ? numberIn(minutes ?? '0') : (MINUTES[part] ?? 0)
  if (hour === undefined || minute === undefined || hour > 24) return undefined
  const mark = about !== undefined || more !== undefined ? { approximate: true as const } : {}
  return { hour: hourIn(period, hour), minute, ...mark }
}

/** The hour of the 24-hour clock for an hour in a part of the day. */
function hourIn(period: string | undefined, hour: number): number {
  const isIn = (periods: string): boolean => period !== undefined && periods.split('|').includes(period)
  if (hour === 24) throw timeError(texts.whichMidnight)
  if (hour === 0 && period !== undefined && /[晚夜]/.test(period)) throw timeError(texts.whichMidnight)
  if (hour > 12 || hour === 0 || isIn(MORNING)) return hour
  if (period === undefined) throw timeError(halfError(hour))
  if (isIn(DAWN)) return hour % 12
  if (isIn(AFTERNOON)) return hour === 12 ? 12 : hour + 12
  if (isIn(NOON)) {
    if (hour > 3 && hour < 10) throw timeError(texts.whichHalf)
    return hour < 10 ? hour + 12 : hour
  }
  // 半夜五点 is no evening, and may be a winter morning.
  if (isIn(NIGHT) && hour > 4 && hour < 8) throw timeError(texts.whichHalf)
  // Twelve in the evening is a midnight. One to four follow it.
  if (hour === 12) throw timeError(texts.whichMidnight)
  return hour < 5 ? hour : hour + 12
}

function halfError(hour: number): Phrase {
  return hour === 12 ? texts.whichTwelve : texts.whichHalf
}
