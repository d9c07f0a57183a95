import type { Birth } from '../birth/birth.ts'
import { officialZone } from '../places/official-zone.ts'
import { asWall, midnightOf } from './calendar.ts'
import type { Clock } from './chart.ts'
import type { Moment } from './pillars.ts'
import { solarCorrection } from './solar-time.ts'
import { instantsOf, offsetAt, summerTimeAt } from './zone-offset.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** The zone without a place. The sign in these names is inverted: this is UTC+8. */
const CHINA = 'Etc/GMT-8'

/** A birth's time as its clocks are read. Walls are in milliseconds, counted as if they were UTC. */
export type Reading = Moment & {
  /** As it was said; noon where the hour is not known. */
  readonly said: number
  readonly zone: string
  /** Minutes: of the clock that was said, and the summer time in it. */
  readonly offset: number
  readonly dst: number
  /** Minutes that the clocks of that day were put forward, also where that is not taken off. */
  readonly summer: number
  /** Minutes that the sun over the place is ahead of the standard clock; 0 without a place. */
  readonly correction: number
  /** Where the clock showed that time twice, or not at all: the instant that was not taken. */
  readonly other?: { readonly why: 'ambiguous-time' | 'skipped-time'; readonly instant: number }
}

/**
 * Reads a birth by the clock of its place; by that of another zone where one is named. @throws ServiceError
 * `invalid-input` for a day, a time or a zone that there was not
 */
export function readClock(birth: Birth, zone = zoneOf(birth)): Reading {
  const { hour, minute } = birth.time ?? { hour: 12, minute: 0 }
  const wall = midnightOf(birth.date) + (hour * 60 + minute) * MINUTE
  const instants = instantsOf(zone, wall)
  const [first, second] = instants[0] === undefined ? readSkippedHour(zone, wall) : [instants[0], instants[1]]
  const summer = summerTimeAt(zone, first)
  const instant = birth.options.applyDst ? first : wall - (offsetAt(zone, first) - summer) * MINUTE
  return {
    ...readingAt(birth, zone, { said: wall, instant, summer }),
    ...(second !== undefined &&
      birth.options.applyDst && {
        other: { why: instants.length > 0 ? 'ambiguous-time' : 'skipped-time', instant: second } as const,
      }),
  }
}

/** The same reading with the instant that was not taken. */
export function readOther(birth: Birth, { zone, said }: Reading, instant: number): Reading {
  return readingAt(birth, zone, { said, instant, summer: summerTimeAt(zone, instant) })
}

type Found = Pick<Reading, 'said' | 'instant' | 'summer'>

function readingAt(birth: Birth, zone: string, { said, instant, summer }: Found): Reading {
  const { place, options } = birth
  const dst = options.applyDst ? summer : 0
  const standard = offsetAt(zone, instant) - (options.applyDst ? dst : summerTimeAt(zone, instant))
  const correction = place ? solarCorrection(place.longitude, standard, instant) : 0
  const hourKnown = birth.time !== undefined
  const standardWall = instant + standard * MINUTE
  const wall = standardWall + (options.trueSolarTime ? correction * MINUTE : 0)
  return {
    said,
    zone,
    offset: standard + dst,
    dst,
    summer,
    correction,
    instant,
    wall: hourKnown ? wall : said,
    hourKnown,
  }
}

/**
 * An hour that the clocks left out: read by the clock from before, so that it lies after the gap, or by the one from
 * after.
 */
function readSkippedHour(zone: string, wall: number): readonly [number, number] {
  const before = offsetAt(zone, wall - 1.5 * DAY)
  const after = offsetAt(zone, wall + 1.5 * DAY)
  return [wall - before * MINUTE, wall - after * MINUTE]
}

function zoneOf({ place, date }: Birth): string {
  return place ? officialZone(place, date.year) : CHINA
}

/** The clock of a reading, for the chart. */
export function clockOf(reading: Reading): Clock {
  const { said, zone, offset, dst, correction, wall, instant, hourKnown } = reading
  const as = (time: number): string => asWall(time, hourKnown ? 'minute' : 'day')
  return {
    said: as(said),
    zone: zone === CHINA ? 'UTC+8' : zone,
    utcOffset: roundMinutes(offset),
    dst,
    solarCorrection: roundMinutes(correction),
    used: as(wall),
    instant: new Date(instant).toISOString(),
  }
}

function roundMinutes(minutes: number): number {
  return Math.round(minutes * 10) / 10
}
