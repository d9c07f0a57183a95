import type { Birth } from '../birth/birth.ts'
import { fillIn, type Phrase } from '../language.ts'
import { officialZone } from '../places/official-zone.ts'
import type { SolarTerm } from 'tyme4ts'
import { asWall } from './calendar.ts'
import type { Alternative, ChartWarning } from './chart.ts'
import { readClock, readOther, type Reading } from './birth-clock.ts'
import { inEnglish } from './english-names.ts'
import { cyclesAt, type Moment } from './pillars.ts'
import { instantOf, monthTermAt } from './solar-terms.ts'
import texts from './chart-texts.json' with { type: 'json' }

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** A clock is not exact to this many ms. */
const NEAR_MS = 3 * MINUTE

const order = ['year', 'month', 'day', 'hour'] as const

type WarningInput = { readonly birth: Birth; readonly reading: Reading }

/** The choices and the minutes on which a chart depends, each with the pillars that another reading gives. */
export function warningsOf(birth: Birth, reading: Reading): ChartWarning[] {
  const input = { birth, reading }
  const warnings = reading.hourKnown
    ? [
        noPlace(input),
        localClock(input),
        otherInstant(input),
        summerTime(input),
        nearTerm(input),
        nearHour(input),
        nearDay(input),
        trueSolarTime(input),
      ]
    : [unknownHour(input), noPlace(input), termOfDay(input)]
  return warnings.flatMap((warning) => warning ?? [])
}

function warn(code: ChartWarning['code'], words: Phrase, alternative?: Alternative): ChartWarning {
  return alternative ? { code, words: withAlternative(words, alternative), alternative } : { code, words }
}

function withAlternative(words: Phrase, { because, pillars }: Alternative): Phrase {
  const names = order.flatMap((at) => (pillars[at] ? [{ at, name: pillars[at] }] : []))
  const zh = names.map(({ at, name }) => `${inChinese[at]}柱为${name}`).join('、')
  const en = names.map(({ at, name }) => `the ${at} pillar is ${inEnglish(name)} (${name})`).join(' and ')
  return { zh: `${words.zh}${because.zh}，则${zh}。`, en: `${words.en} ${because.en}, ${en}.` }
}

const inChinese = { year: '年', month: '月', day: '日', hour: '时' } as const

/** The pillars that another moment or other options give. Undefined if they are the same. */
function instead(
  { birth, reading }: WarningInput,
  because: Phrase,
  other: Moment,
  options: Birth['options'] = birth.options,
): Alternative | undefined {
  const own = cyclesAt(reading, birth.options)
  const cycles = cyclesAt(other, options)
  const pillars = order.flatMap((at) => {
    const name = cycles[at]?.getName()
    return name && name !== own[at]?.getName() ? [[at, name] as const] : []
  })
  return pillars.length > 0 ? { because, pillars: Object.fromEntries(pillars) } : undefined
}

function unknownHour(input: WarningInput): ChartWarning {
  const alternative = dayAt(input, texts.lateHour, 23) ?? dayAt(input, texts.earlyHour, 0)
  return warn('unknown-hour', texts.unknownHour, alternative)
}

/** The day pillar of a birth at that hour. Summer time or solar time may move the hour into another day. */
function dayAt(input: WarningInput, because: Phrase, hour: number): Alternative | undefined {
  const moment = readClock({ ...input.birth, time: { hour, minute: 0 } })
  const { day } = instead(input, because, moment)?.pillars ?? {}
  return day ? { because, pillars: { day } } : undefined
}

function noPlace({ birth }: WarningInput): ChartWarning | undefined {
  if (birth.place) return undefined
  return warn('no-place', birth.options.trueSolarTime ? texts.noPlaceNoSun : texts.noPlace)
}

function localClock(input: WarningInput): ChartWarning | undefined {
  const { place, date } = input.birth
  if (!place || officialZone(place, date.year) === place.zone) return undefined
  const moment = readClock(input.birth, place.zone)
  return warn('local-clock', texts.localClock, instead(input, texts.ifLocal, moment))
}

function otherInstant(input: WarningInput): ChartWarning | undefined {
  const { birth, reading } = input
  const { other } = reading
  if (!other) return undefined
  const moment = readOther(birth, reading, other.instant)
  return other.why === 'ambiguous-time'
    ? warn(other.why, texts.ambiguous, instead(input, texts.ifLater, moment))
    : warn(other.why, texts.skipped, instead(input, texts.ifNewClock, moment))
}

function summerTime(input: WarningInput): ChartWarning | undefined {
  const { birth, reading } = input
  if (reading.other) return undefined
  const warnOf = (words: Phrase, minutes: number, because: Phrase, moment: Reading): ChartWarning =>
    warn('dst', fillIn(words, { minutes }), instead(input, because, moment))
  const { applyDst } = birth.options
  if (!birth.place && applyDst) {
    const inChina = readClock(birth, 'Asia/Shanghai')
    const { summer } = inChina
    return summer === 0 ? undefined : warnOf(texts.summerInChina, summer, texts.ifInChina, inChina)
  }
  if (reading.summer === 0) return undefined
  const other = readClock({ ...birth, options: { ...birth.options, applyDst: !applyDst } })
  return applyDst
    ? warnOf(texts.summerOff, reading.summer, texts.ifStandard, other)
    : warnOf(texts.summerOn, reading.summer, texts.ifSummer, other)
}

function nearTerm(input: WarningInput): ChartWarning | undefined {
  const { instant } = input.reading
  const last = monthTermAt(instant)
  const near = [last, last.next(2)].find((term) => Math.abs(instantOf(term) - instant) <= NEAR_MS)
  return near && termWarning(input, near, texts.nearTerm)
}

function termOfDay(input: WarningInput): ChartWarning | undefined {
  const { instant } = input.reading
  const term = monthTermAt(instant + DAY / 2 - 1)
  return instantOf(term) < instant - DAY / 2 ? undefined : termWarning(input, term, texts.termOfDay)
}

/** Warns that a term starts close to the birth. The alternative is the chart on its other side. */
function termWarning(input: WarningInput, solarTerm: SolarTerm, words: Phrase): ChartWarning {
  const { reading } = input
  const start = instantOf(solarTerm)
  const hasBegun = start <= reading.instant
  const term = { zh: solarTerm.getName(), en: inEnglish(solarTerm.getName()) }
  const because = fillIn(hasBegun ? texts.ifBefore : texts.ifAfter, { term })
  const time = asWall(start + reading.offset * MINUTE).slice(11)
  const moment = { ...reading, instant: hasBegun ? start - 1 : start }
  return warn('near-term', fillIn(words, { term, time }), instead(input, because, moment))
}

function nearHour(input: WarningInput): ChartWarning | undefined {
  const { wall } = input.reading
  const since = modulo(wall - HOUR, 2 * HOUR)
  if (since > NEAR_MS && 2 * HOUR - since > NEAR_MS) return undefined
  const hasBegun = since <= NEAR_MS
  const border = hasBegun ? wall - since : wall - since + 2 * HOUR
  const moment = { ...input.reading, wall: hasBegun ? border - 1 : border }
  const words = fillIn(texts.nearHour, { time: asWall(border).slice(11) })
  return warn('near-hour', words, instead(input, hasBegun ? texts.ifHourBefore : texts.ifHourAfter, moment))
}

function nearDay(input: WarningInput): ChartWarning | undefined {
  const { birth, reading } = input
  const time = modulo(reading.wall, DAY)
  const boundary = birth.options.dayBoundary
  if (time >= 23 * HOUR) {
    const dayBoundary = boundary === '23:00' ? '00:00' : '23:00'
    const because = fillIn(texts.ifBoundary, { boundary: dayBoundary })
    const alternative = instead(input, because, reading, { ...birth.options, dayBoundary })
    return warn('near-day', fillIn(texts.lateDay, { boundary }), alternative)
  }
  if (isWholeRatHour(birth)) return ratHour(input)
  if (boundary === '23:00' || time > NEAR_MS) return undefined
  const moment = { ...reading, wall: reading.wall - time - 1 }
  return warn('near-day', texts.nearMidnight, instead(input, texts.ifDayBefore, moment))
}

/** The first double hour lies on both sides of midnight. Told as a whole, it is read as its beginning of the day. */
function isWholeRatHour({ time }: Birth): boolean {
  return time?.approximate === true && time.hour === 0 && time.minute === 0
}

function ratHour(input: WarningInput): ChartWarning | undefined {
  const late = readClock({ ...input.birth, time: { hour: 23, minute: 30 } })
  const alternative = instead(input, texts.ifLateRat, late)
  return alternative && warn('near-day', texts.ratHour, alternative)
}

function trueSolarTime(input: WarningInput): ChartWarning | undefined {
  const { birth, reading } = input
  if (!birth.place) return undefined
  const isOn = birth.options.trueSolarTime
  const moment = readClock({ ...birth, options: { ...birth.options, trueSolarTime: !isOn } })
  const other = instead(input, isOn ? texts.ifClock : texts.ifSun, moment)
  if (!other) return undefined
  const correction = Math.round(reading.correction)
  const minutes = Math.abs(correction)
  const unit = minutes === 1 ? 'minute' : 'minutes'
  const difference = fillIn(correction > 0 ? texts.sunAhead : texts.sunBehind, { minutes, unit })
  return warn('true-solar-time', fillIn(isOn ? texts.bySun : texts.byClock, { difference }), other)
}

function modulo(n: number, of: number): number {
  return ((n % of) + of) % of
}
