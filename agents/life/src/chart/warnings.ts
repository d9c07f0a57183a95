import type { Birth } from '../birth/birth.ts'
import type { Phrase } from '../language.ts'
import { officialZone } from '../places/official-zone.ts'
import { asWall } from './calendar.ts'
import type { Alternative, ChartWarning } from './chart.ts'
import { readClock, readOther, type Reading } from './birth-clock.ts'
import { cyclesAt, type Moment } from './pillars.ts'
import { instantOf, monthTermAt } from './solar-terms.ts'
import { warningTexts, withAlternative, pillarsThatDiffer, type Because } from './warning-texts.ts'
import { inEnglish } from './english-names.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How near to a boundary a clock is not to be trusted. */
const NEAR = 3 * MINUTE

type WarningInput = { readonly birth: Birth; readonly reading: Reading }

/** Where a chart rests on a choice or on minutes, with what it would be otherwise. */
export function warningsOf(birth: Birth, reading: Reading): ChartWarning[] {
  const input = { birth, reading }
  const found = reading.hourKnown
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
  return found.flatMap((warning) => warning ?? [])
}

function warn(code: ChartWarning['code'], words: Phrase, alternative?: Alternative): ChartWarning {
  const fullText = alternative ? withAlternative(words, alternative) : words
  return { code, words: fullText, ...(alternative && { alternative }) }
}

/** What another moment, or another choice, gives: none where the pillars are the same. */
function instead(
  { birth, reading }: WarningInput,
  because: Because,
  other: Moment,
  options: Birth['options'] = birth.options,
): Alternative | undefined {
  const pillars = pillarsThatDiffer(cyclesAt(reading, birth.options), cyclesAt(other, options))
  return Object.keys(pillars).length > 0 ? { because, pillars } : undefined
}

function unknownHour(input: WarningInput): ChartWarning {
  const late = dayAt(input, warningTexts.lateHour, 23)
  return warn('unknown-hour', warningTexts.unknownHour, late ?? dayAt(input, warningTexts.earlyHour, 0))
}

/**
 * The day's pillar of a birth at that hour: what is taken off the clock may have kept it from the next day, or put it
 * into the one before.
 */
function dayAt(input: WarningInput, because: Because, hour: number): Alternative | undefined {
  const moment = readClock({ ...input.birth, time: { hour, minute: 0 } })
  const { day } = instead(input, because, moment)?.pillars ?? {}
  return day ? { because, pillars: { day } } : undefined
}

function noPlace({ birth }: WarningInput): ChartWarning | undefined {
  if (birth.place) return undefined
  return warn('no-place', birth.options.trueSolarTime ? warningTexts.noPlaceNoSun : warningTexts.noPlace)
}

function localClock(input: WarningInput): ChartWarning | undefined {
  const { place, date } = input.birth
  if (!place || officialZone(place, date.year) === place.zone) return undefined
  return warn(
    'local-clock',
    warningTexts.localClock,
    instead(input, warningTexts.ifLocal, readClock(input.birth, place.zone)),
  )
}

function otherInstant(input: WarningInput): ChartWarning | undefined {
  const { birth, reading } = input
  const { other } = reading
  if (!other) return undefined
  const moment = readOther(birth, reading, other.instant)
  return other.why === 'ambiguous-time'
    ? warn(other.why, warningTexts.ambiguous, instead(input, warningTexts.ifLater, moment))
    : warn(other.why, warningTexts.skipped, instead(input, warningTexts.ifNewClock, moment))
}

function summerTime(input: WarningInput): ChartWarning | undefined {
  const { birth, reading } = input
  if (reading.other) return undefined
  if (!birth.place && birth.options.applyDst) {
    const inChina = readClock(birth, 'Asia/Shanghai')
    if (inChina.summer === 0) return undefined
    return warn(
      'dst',
      warningTexts.summerInChina(inChina.summer),
      instead(input, warningTexts.ifInChina, inChina),
    )
  }
  if (reading.summer === 0) return undefined
  const { applyDst } = birth.options
  const other = readClock({ ...birth, options: { ...birth.options, applyDst: !applyDst } })
  return applyDst
    ? warn('dst', warningTexts.summerOff(reading.summer), instead(input, warningTexts.ifStandard, other))
    : warn('dst', warningTexts.summerOn(reading.summer), instead(input, warningTexts.ifSummer, other))
}

function nearTerm(input: WarningInput): ChartWarning | undefined {
  const { reading } = input
  const behind = monthTermAt(reading.instant)
  const near = [behind, behind.next(2)].find((term) => Math.abs(instantOf(term) - reading.instant) <= NEAR)
  if (!near) return undefined
  const begins = instantOf(near)
  const name = { zh: near.getName(), en: inEnglish(near.getName()) }
  const because = near === behind ? warningTexts.ifBefore(name) : warningTexts.ifAfter(name)
  const other = { ...reading, instant: near === behind ? begins - 1 : begins }
  const local = asWall(begins + reading.offset * MINUTE).slice(11)
  return warn('near-term', warningTexts.nearTerm(name, local), instead(input, because, other))
}

function termOfDay(input: WarningInput): ChartWarning | undefined {
  const { reading } = input
  const term = monthTermAt(reading.instant + DAY / 2 - 1)
  const begins = instantOf(term)
  if (begins < reading.instant - DAY / 2) return undefined
  const name = { zh: term.getName(), en: inEnglish(term.getName()) }
  const hasBegun = begins <= reading.instant
  const other = { ...reading, instant: hasBegun ? begins - 1 : begins }
  const because = hasBegun ? warningTexts.ifBefore(name) : warningTexts.ifAfter(name)
  const local = asWall(begins + reading.offset * MINUTE).slice(11)
  return warn('near-term', warningTexts.termOfDay(name, local), instead(input, because, other))
}

function nearHour(input: WarningInput): ChartWarning | undefined {
  const { wall } = input.reading
  const since = modulo(wall - HOUR, 2 * HOUR)
  if (since > NEAR && 2 * HOUR - since > NEAR) return undefined
  const hasBegun = since <= NEAR
  const border = hasBegun ? wall - since : wall - since + 2 * HOUR
  const other = { ...input.reading, wall: hasBegun ? border - 1 : border }
  const because = hasBegun ? warningTexts.ifHourBefore : warningTexts.ifHourAfter
  return warn('near-hour', warningTexts.nearHour(asWall(border).slice(11)), instead(input, because, other))
}

function nearDay(input: WarningInput): ChartWarning | undefined {
  const { birth, reading } = input
  const time = modulo(reading.wall, DAY)
  const { dayBoundary } = birth.options
  if (time >= 23 * HOUR) {
    const other = dayBoundary === '23:00' ? '00:00' : '23:00'
    return warn(
      'near-day',
      warningTexts.lateDay(dayBoundary),
      instead(input, warningTexts.ifBoundary(other), reading, { ...birth.options, dayBoundary: other }),
    )
  }
  if (dayBoundary === '23:00' || time > NEAR) return undefined
  const before = { ...reading, wall: reading.wall - time - 1 }
  return warn('near-day', warningTexts.nearMidnight, instead(input, warningTexts.ifDayBefore, before))
}

function trueSolarTime(input: WarningInput): ChartWarning | undefined {
  const { birth, reading } = input
  if (!birth.place) return undefined
  const { trueSolarTime: on } = birth.options
  const options = { ...birth.options, trueSolarTime: !on }
  const other = instead(
    input,
    on ? warningTexts.ifClock : warningTexts.ifSun,
    readClock({ ...birth, options }),
  )
  if (!other) return undefined
  const minutes = Math.round(reading.correction)
  return warn('true-solar-time', on ? warningTexts.bySun(minutes) : warningTexts.byClock(minutes), other)
}

function modulo(n: number, of: number): number {
  return ((n % of) + of) % of
}
