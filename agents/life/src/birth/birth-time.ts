import type { Phrase } from '../language.ts'
import type { TimeOfDay } from './birth.ts'
import { fieldError } from './field-error.ts'
import { NUMBER, numberIn, normalizeText } from './chinese-numbers.ts'

const FIELD = 'birthTime'
/** In characters: no way of writing a time is longer. */
const MAX_TIME_LENGTH = 40

const UNREADABLE: Phrase = {
  en: 'write it as 14:30, 2:30 pm, 下午两点半 or 未时; leave it empty where it is not known.',
  zh: '没能看懂。请写成 14:30、下午两点半或未时；不知道就留空。',
}
const WHICH_HALF: Phrase = {
  en: 'is that before or after noon? Write 02:30 or 14:30, 凌晨两点半 or 下午两点半.',
  zh: '是上午还是下午？请写成 02:30 或 14:30，凌晨两点半或下午两点半。',
}
const WHICH_TWELVE: Phrase = {
  en: 'is that noon or midnight? Write 12:30 or 00:30, 中午十二点半 or 凌晨十二点半.',
  zh: '是中午还是半夜？请写成 12:30 或 00:30，中午十二点半或凌晨十二点半。',
}
const WHICH_MIDNIGHT: Phrase = {
  en: 'a day has a midnight at each end. Write 00:00 with the day that then begins.',
  zh: '一天的头尾各有一个零点。请写 00:00，日期写零点之后的那一天。',
}

const ROUGH: Phrase = {
  en: 'a part of the day has several double hours. Say about which hour, as about 6 pm, or leave it empty.',
  zh: '一段时间里有好几个时辰。记得大概几点，可以写“大概下午六点”；记不清就留空。',
}

const UNKNOWN =
  /^(?:[-–—?？/]*|(?:(?:时辰|具体时间|几点)?(?:不知道?|不清楚|不详|未知|不记得了?|记不清楚?了?|记不得了?|不确定|忘了|忘记了?)|不知|没问过)(?:(?:具体|是|在)*(?:几点钟?|几时|什么时候|什么时辰|哪个时辰|时辰|时间)(?:了|出?生的?|的)?)?|无|没有|時辰不詳|不知道?(?:幾點|時辰)|unknown|not known|not sure|unsure|none|n\/?a|null|(?:i )?(?:don'?t|do not|don’t) (?:know|remember))$/

/** 子 to 亥. */
const BRANCHES = '子丑寅卯辰巳午未申酉戌亥'

/**
 * A time of birth, by the clock on the wall: `14:30`, `2:30 pm`, `下午两点半`; nothing where it is said not to be known.
 * `未时` gives the middle of the double hour, marked as approximate. What may mean two hours is asked for again, never
 * guessed. @throws ServiceError `invalid-input`
 */
export function readBirthTime(text: string): TimeOfDay | undefined {
  if (text.length > MAX_TIME_LENGTH) throw fieldError(FIELD, UNREADABLE)
  const normalized = normalizeText(text).replace(/[.。!！]$/, '')
  if (UNKNOWN.test(normalized)) return undefined
  const time = doubleHour(normalized) ?? byNumbers(normalized) ?? byWords(normalized)
  if (time && time.hour <= 23 && time.minute <= 59) return time
  throw fieldError(FIELD, ROUGHLY.test(normalized) ? ROUGH : UNREADABLE)
}

function doubleHour(text: string): TimeOfDay | undefined {
  const [, half, branch] = /^(早|夜|晚)?([子丑寅卯辰巳午未申酉戌亥])(?:时|時|时辰|時辰)?$/.exec(text) ?? []
  if (branch === undefined) return undefined
  if (half === undefined) return { hour: BRANCHES.indexOf(branch) * 2, minute: 0, approximate: true }
  if (branch !== '子') return undefined
  // The rat's hour has a day's boundary within it: some say which side they mean.
  return { hour: half === '早' ? 0 : 23, minute: 30, approximate: true }
}

function byNumbers(text: string): TimeOfDay | undefined {
  if (/^(?:12 ?)?noon$/.test(text)) return { hour: 12, minute: 0 }
  if (/^(?:12 ?)?midnight$/.test(text)) throw fieldError(FIELD, WHICH_MIDNIGHT)
  const [, about, hours, minutes = '0', half] =
    /^(about |around |ca\.? |约|大约|大概)?(\d{1,2})(?:[:.h](\d\d)(?::\d\d(?:\.\d{1,3})?)?)? ?(am|pm|a\.m\.?|p\.m\.?)?$/.exec(
      text,
    ) ??
    /^()(\d\d)(\d\d)()$/.exec(text) ??
    []
  if (hours === undefined) return undefined
  const [hour, minute] = [Number(hours), Number(minutes)]
  const marked = about ? { approximate: true as const } : {}
  if (!half) {
    const bare = !/[:.h]|\d{4}/.test(text)
    if (bare) throw fieldError(FIELD, hour >= 1 && hour <= 12 ? unclear(hour) : UNREADABLE)
    if (hour === 24 && minute === 0) throw fieldError(FIELD, WHICH_MIDNIGHT)
    return { hour, minute, ...marked }
  }
  if (hour > 12 || hour === 0) return undefined
  return { hour: (hour % 12) + (half.startsWith('p') ? 12 : 0), minute, ...marked }
}

const PERIODS =
  '凌晨|清晨|清早|大清早|早晨|早上|上午|中午|正午|午后|下午|傍晚|黄昏|晚上|晚间|夜里|夜间|夜晚|半夜|深夜|午夜|早|晚'
/** 大概傍晚, or 早上八九点. */
const ROUGHLY = new RegExp(
  `^(?:约|大约|大概|好像|可能|应该)*(?:是|在)?(?:(?:${PERIODS})(?:时分|的时候|左右)?|(?:${PERIODS})?[一二三四五六七八九十两]{2,3}[点點时時]钟?(?:左右|多)?)$|^(?:about |around |in the |early |late )*(?:morning|noon|afternoon|evening|night|dawn|dusk)$`,
)
const CLOCK = new RegExp(
  `^(约|大约|大概)?(${PERIODS})? ?(${NUMBER}) ?[点點时時:] ?(?:(整|钟|鐘|半|一刻|三刻)|(${NUMBER}) ?分?)?(?:钟|鐘)?(左右|多)?$`,
)

function byWords(text: string): TimeOfDay | undefined {
  if (/^正午$/.test(text)) return { hour: 12, minute: 0 }
  const [, about, period, hours = '', part, minutes, more] = CLOCK.exec(text) ?? []
  const hour = numberIn(hours)
  const minute = part === undefined ? numberIn(minutes ?? '0') : minuteOf(part)
  if (hour === undefined || minute === undefined || hour > 24) return undefined
  const marked = about !== undefined || more !== undefined ? { approximate: true as const } : {}
  return { hour: hourIn(period, hour), minute, ...marked }
}

function minuteOf(part: string): number {
  switch (part) {
    case '半':
      return 30
    case '一刻':
      return 15
    case '三刻':
      return 45
    default:
      return 0
  }
}

/** An hour as it is said in a part of the day, on a clock of 24. */
function hourIn(period: string | undefined, hour: number): number {
  if (hour === 24) throw fieldError(FIELD, WHICH_MIDNIGHT)
  if (hour === 0 && period !== undefined && /[晚夜]/.test(period)) throw fieldError(FIELD, WHICH_MIDNIGHT)
  if (hour > 12 || hour === 0) return hour
  switch (period) {
    case undefined:
      throw fieldError(FIELD, unclear(hour))
    case '凌晨':
      return hour % 12
    case '清晨':
    case '清早':
    case '大清早':
    case '早晨':
    case '早上':
    case '早':
    case '上午':
      return hour
    case '中午':
    case '正午':
      // Noon is near twelve: at nine or five nobody says it.
      if (hour > 3 && hour < 10) throw fieldError(FIELD, WHICH_HALF)
      return hour < 10 ? hour + 12 : hour
    case '午后':
    case '下午':
    case '傍晚':
    case '黄昏':
      return hour === 12 ? 12 : hour + 12
    case '半夜':
    case '深夜':
    case '午夜':
    case '夜里':
    case '夜间':
      // 半夜五点 is no evening, and may be said of a winter's morning.
      if (hour > 4 && hour < 8) throw fieldError(FIELD, WHICH_HALF)
      return eveningHour(hour)
    default:
      return eveningHour(hour)
  }
}

function unclear(hour: number): Phrase {
  return hour === 12 ? WHICH_TWELVE : WHICH_HALF
}

function eveningHour(hour: number): number {
  // An evening's twelve is a midnight, and its one to four are after it.
  if (hour === 12) throw fieldError(FIELD, WHICH_MIDNIGHT)
  return hour < 5 ? hour : hour + 12
}
