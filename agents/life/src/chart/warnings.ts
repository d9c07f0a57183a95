import type { Birth } from '../birth/birth.ts'
import type { Phrase } from '../language.ts'
import { officialZone } from '../places/official-zone.ts'
import { asWall } from './calendar.ts'
import type { Alternative, ChartWarning } from './chart.ts'
import { readClock, readOther, type Reading } from './clock.ts'
import { cyclesAt, type Moment } from './pillars.ts'
import { instantOf, monthTermAt } from './terms.ts'
import { clockWords, otherwise, pillarsThatDiffer, type Because } from './warning-words.ts'
import { inEnglish } from './words.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** How near to a boundary a clock is not to be trusted. */
const NEAR = 3 * MINUTE

type Asked = { readonly birth: Birth; readonly reading: Reading }

/** Where a chart rests on a choice or on minutes, with what it would be otherwise. */
export function warningsOf(birth: Birth, reading: Reading): ChartWarning[] {
  const asked = { birth, reading }
  const found = reading.hourKnown
    ? [
        noPlace(asked),
        localClock(asked),
        otherInstant(asked),
        summerTime(asked),
        nearTerm(asked),
        nearHour(asked),
        nearDay(asked),
        trueSolarTime(asked),
      ]
    : [unknownHour(asked), noPlace(asked), termOfDay(asked)]
  return found.flatMap((warning) => warning ?? [])
}

function warn(code: ChartWarning['code'], words: Phrase, alternative?: Alternative): ChartWarning {
  const said = alternative ? otherwise(words, alternative) : words
  return { code, words: said, ...(alternative && { alternative }) }
}

/** What another moment, or another choice, gives: none where the pillars are the same. */
function instead(
  { birth, reading }: Asked,
  because: Because,
  other: Moment,
  options: Birth['options'] = birth.options,
): Alternative | undefined {
  const pillars = pillarsThatDiffer(cyclesAt(reading, birth.options), cyclesAt(other, options))
  return Object.keys(pillars).length > 0 ? { because, pillars } : undefined
}

function unknownHour(asked: Asked): ChartWarning {
  const late = dayAt(asked, clockWords.lateHour, 23)
  return warn('unknown-hour', clockWords.unknownHour, late ?? dayAt(asked, clockWords.earlyHour, 0))
}

/** The day's pillar of a birth at that hour: what is taken off the clock may have kept it from the next day, or put it into the one before. */
function dayAt(asked: Asked, because: Because, hour: number): Alternative | undefined {
  const moment = readClock({ ...asked.birth, time: { hour, minute: 0 } })
  const { day } = instead(asked, because, moment)?.pillars ?? {}
  return day ? { because, pillars: { day } } : undefined
}

function noPlace({ birth }: Asked): ChartWarning | undefined {
  if (birth.place) return undefined
  return warn('no-place', birth.options.trueSolarTime ? clockWords.noPlaceNoSun : clockWords.noPlace)
}

function localClock(asked: Asked): ChartWarning | undefined {
  const { place, date } = asked.birth
  if (!place || officialZone(place, date.year) === place.zone) return undefined
  return warn(
    'local-clock',
    clockWords.localClock,
    instead(asked, clockWords.ifLocal, readClock(asked.birth, place.zone)),
  )
}

function otherInstant(asked: Asked): ChartWarning | undefined {
  const { birth, reading } = asked
  const { other } = reading
  if (!other) return undefined
  const moment = readOther(birth, reading, other.instant)
  return other.why === 'ambiguous-time'
    ? warn(other.why, clockWords.ambiguous, instead(asked, clockWords.ifLater, moment))
    : warn(other.why, clockWords.skipped, instead(asked, clockWords.ifNewClock, moment))
}

function summerTime(asked: Asked): ChartWarning | undefined {
  const { birth, reading } = asked
  if (reading.other) return undefined
  if (!birth.place && birth.options.applyDst) {
    const inChina = readClock(birth, 'Asia/Shanghai')
    if (inChina.summer === 0) return undefined
    return warn(
      'dst',
      clockWords.summerInChina(inChina.summer),
      instead(asked, clockWords.ifInChina, inChina),
    )
  }
  if (reading.summer === 0) return undefined
  const { applyDst } = birth.options
  const other = readClock({ ...birth, options: { ...birth.options, applyDst: !applyDst } })
  return applyDst
    ? warn('dst', clockWords.summerOff(reading.summer), instead(asked, clockWords.ifStandard, other))
    : warn('dst', clockWords.summerOn(reading.summer), instead(asked, clockWords.ifSummer, other))
}

function nearTerm(asked: Asked): ChartWarning | undefined {
  const { reading } = asked
  const behind = monthTermAt(reading.instant)
  const near = [behind, behind.next(2)].find((term) => Math.abs(instantOf(term) - reading.instant) <= NEAR)
  if (!near) return undefined
  const begins = instantOf(near)
  const name = { zh: near.getName(), en: inEnglish(near.getName()) }
  const because = near === behind ? clockWords.ifBefore(name) : clockWords.ifAfter(name)
  const other = { ...reading, instant: near === behind ? begins - 1 : begins }
  const local = asWall(begins + reading.offset * MINUTE).slice(11)
  return warn('near-term', clockWords.nearTerm(name, local), instead(asked, because, other))
}

function termOfDay(asked: Asked): ChartWarning | undefined {
  const { reading } = asked
  const term = monthTermAt(reading.instant + DAY / 2 - 1)
  const begins = instantOf(term)
  if (begins < reading.instant - DAY / 2) return undefined
  const name = { zh: term.getName(), en: inEnglish(term.getName()) }
  const begun = begins <= reading.instant
  const other = { ...reading, instant: begun ? begins - 1 : begins }
  const because = begun ? clockWords.ifBefore(name) : clockWords.ifAfter(name)
  const local = asWall(begins + reading.offset * MINUTE).slice(11)
  return warn('near-term', clockWords.termOfDay(name, local), instead(asked, because, other))
}

function nearHour(asked: Asked): ChartWarning | undefined {
  const { wall } = asked.reading
  const since = modulo(wall - HOUR, 2 * HOUR)
  if (since > NEAR && 2 * HOUR - since > NEAR) return undefined
  const begun = since <= NEAR
  const border = begun ? wall - since : wall - since + 2 * HOUR
  const other = { ...asked.reading, wall: begun ? border - 1 : border }
  const because = begun ? clockWords.ifHourBefore : clockWords.ifHourAfter
  return warn('near-hour', clockWords.nearHour(asWall(border).slice(11)), instead(asked, because, other))
}

function nearDay(asked: Asked): ChartWarning | undefined {
  const { birth, reading } = asked
  const time = modulo(reading.wall, DAY)
  const { dayBoundary } = birth.options
  if (time >= 23 * HOUR) {
    const other = dayBoundary === '23:00' ? '00:00' : '23:00'
    return warn(
      'near-day',
      clockWords.lateDay(dayBoundary),
      instead(asked, clockWords.ifBoundary(other), reading, { ...birth.options, dayBoundary: other }),
    )
  }
  if (dayBoundary === '23:00' || time > NEAR) return undefined
  const before = { ...reading, wall: reading.wall - time - 1 }
  return warn('near-day', clockWords.nearMidnight, instead(asked, clockWords.ifDayBefore, before))
}

function trueSolarTime(asked: Asked): ChartWarning | undefined {
  const { birth, reading } = asked
  if (!birth.place) return undefined
  const { trueSolarTime: on } = birth.options
  const options = { ...birth.options, trueSolarTime: !on }
  const other = instead(asked, on ? clockWords.ifClock : clockWords.ifSun, readClock({ ...birth, options }))
  if (!other) return undefined
  const minutes = Math.round(reading.correction)
  return warn('true-solar-time', on ? clockWords.bySun(minutes) : clockWords.byClock(minutes), other)
}

function modulo(n: number, of: number): number {
  return ((n % of) + of) % of
}
